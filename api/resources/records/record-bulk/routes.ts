import { saveDataRecords } from '../../../../domain/records/data-records/save-data-records.js';
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
    "Each changes the record that has its externalId, else, where the type holds one a member, the member's record, else it makes one. What is refused is told by its place, and the others are written. Others' records need the permission records:write or data:write:<slug>.",
  access: workspaceMember({ scope: 'data:write' }),
  body: BulkRecordsRequest,
  response: { status: 200, schema: BulkRecordsResponse },
  idempotent: true,
  errors: { 409: 'Others are changing the same records just now.' },
  handler: async ({ context, params, body }) =>
    saveDataRecords(context, params.data_type_id, body.records, { atomic: body.atomic }),
});

export const recordBulkRoutes = [bulk];
