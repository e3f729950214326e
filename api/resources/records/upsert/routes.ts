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
  summary: 'Create or change the data record with an external id',
  description:
    "If the type allows one record per member and no record has the external id, the member's record is updated and gets the external id. Without the permission records:write or data:write:<slug>, the external id of another member's record is refused with 403.",
  access: workspaceMember({ scope: 'data:write' }),
  params: UpsertParams,
  body: UpsertDataRecordRequest,
  response: { status: 200, schema: DataRecordResponse },
  idempotent: true,
  errors: { 409: 'The record is retired, or concurrent requests are changing it.' },
  handler: async ({ context, params, body }) => {
    const { data_type_id: dataTypeId, external_id: externalId } = params;
    return presentDataRecord(await upsertDataRecord(context, dataTypeId, { ...body, externalId }));
  },
});

export const upsertRoutes = [upsert];
