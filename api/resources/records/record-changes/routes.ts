import { listDataRecordChanges } from '../../../../domain/records/data-records/queries/get-data-record.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Id, Nullable, OneOf, Page, PageQuery, Picked, Timestamp } from '../../../http/schemas.js';
import { FieldValues } from '../data-records/schemas.js';

const DataRecordChangeResponse = Picked(
  {
    id: Id,
    recordId: Id,
    operation: OneOf(['created', 'updated', 'retired', 'restored'], {
      description: 'Retiring and restoring do not change the values',
    }),
    before: Nullable(FieldValues),
    after: Nullable(FieldValues),
    actorMemberId: Nullable(Id),
    createdAt: Timestamp,
  },
  {
    $id: 'DataRecordChangeResponse',
    description:
      'The values before and after the change, and the member who made it; before is null for the first change.',
  },
);

const list = defineRoute({
  operationId: 'listDataRecordChanges',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}/changes',
  tag: 'Data records',
  summary: 'List the changes of a data record',
  description: 'Newest first. Anyone who may read the record may read its changes.',
  access: workspaceMember({ scope: 'data:read' }),
  query: PageQuery(['createdAt'], {}, 'desc'),
  response: { status: 200, schema: Page(DataRecordChangeResponse) },
  handler: async ({ context, params, query }) =>
    presentPage(query, await listDataRecordChanges(context, params.data_type_id, params.record_id, query)),
});

export const recordChangeRoutes = [list];
