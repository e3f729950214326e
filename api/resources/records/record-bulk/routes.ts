import { saveDataRecords } from '../../../../domain/records/data-records/writing/save-data-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { BulkRecordsRequest, BulkRecordsResponse } from './schemas.js';

const bulk = defineRoute({
  operationId: 'saveDataRecords',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/bulk',
  tag: 'Data records',
  summary: 'Create and change many data records',
  description:
    "Each item updates the record with its externalId; otherwise, if the type allows one record per member, the member's record; otherwise it creates one. Refused items are reported by their index, and the others are written. Records of other members need the permission records:write or data:write:<slug>.",
  access: workspaceMember({ scope: 'data:write' }),
  body: BulkRecordsRequest,
  response: { status: 200, schema: BulkRecordsResponse },
  idempotent: true,
  errors: { 409: 'Concurrent requests are changing the same records.' },
  handler: async ({ context, params, body }) =>
    saveDataRecords(context, params.data_type_id, body.records, { atomic: body.atomic }),
});

export const recordBulkRoutes = [bulk];
