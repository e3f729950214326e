import Type from 'typebox';
import { upsertDataRecord } from '../../../../domain/records/data-records/save-data-record.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Id, Uuid } from '../../../http/schemas.js';
import { presentDataRecord } from '../data-records/presenter.js';
import { accessMode, DataRecordResponse, externalId, FieldValues } from '../data-records/schemas.js';

/** Declared explicitly, because external_id is the caller's own text although its name ends in `_id`. */
const UpsertParams = Type.Object({ workspace_uuid: Uuid, data_type_id: Id, external_id: externalId });

const UpsertDataRecordRequest = Type.Object(
  {
    fieldValues: FieldValues,
    memberId: Type.Optional(Id),
    assignmentTaskId: Type.Optional(Id),
    accessMode,
  },
  {
    description:
      "For an existing record, omitted fields keep their values and null clears a field; memberId, if given, becomes the record's member. A new record belongs to the caller unless memberId is given, and needs its required fields.",
  },
);

const upsert = defineRoute({
  operationId: 'upsertDataRecord',
  audit: { not: 'changes of a record are kept with it, with who made them: listDataRecordChanges' },
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/upsert/{external_id}',
  tag: 'Data records',
  summary: 'Create or change the data record with an external id',
  description:
    "The status is 200 for a new record as well; `operation` says what was done. If the type allows one record per member and no record has the external id, the member's record is updated and gets the external id. Without the permission records:write or data:write:<slug>, the external id of another member's record is refused with 403.",
  access: workspaceMember({ scope: 'data:write' }),
  params: UpsertParams,
  body: UpsertDataRecordRequest,
  example: {
    body: { memberId: demo.memberId, fieldValues: { reason: 'Check-up', status: 'planned' } },
  },
  response: { status: 200, schema: DataRecordResponse },
  idempotent: true,
  errors: { 409: 'The record is retired, or concurrent requests are changing it.' },
  handler: async ({ context, params, body }) => {
    const { data_type_id: dataTypeId, external_id: externalId } = params;
    return presentDataRecord(await upsertDataRecord(context, dataTypeId, { ...body, externalId }));
  },
});

export const upsertRoutes = [upsert];
