import { upsertDataRecord } from '../../../../domain/records/data-records/upsert-data-record.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentDataRecord } from '../data-records/presenter.js';
import { DataRecordResponse } from '../data-records/schemas.js';
import { UpsertDataRecordRequest, UpsertParams } from './schemas.js';

const upsert = defineRoute({
  operationId: 'upsertDataRecord',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/upsert/{external_id}',
  tag: 'Data records',
  summary: 'Create or change the data record that has an external id',
  description:
    "Where a type holds one record a member, and none has the external id, the member's record is changed and takes it over. Without the permission records:write or data:write:<slug>, an external id of another member's record is 403.",
  access: workspaceMember({ scope: 'data:write' }),
  params: UpsertParams,
  body: UpsertDataRecordRequest,
  response: { status: 200, schema: DataRecordResponse },
  idempotent: true,
  errors: { 409: 'The record is retired, or others are changing it just now.' },
  handler: async ({ context, params, body }) => {
    const { data_type_id: dataTypeId, external_id: externalId } = params;
    return presentDataRecord(await upsertDataRecord(context, dataTypeId, { ...body, externalId }));
  },
});

export const upsertRoutes = [upsert];
