import { listDataRecordChanges } from '../../../../domain/records/data-records/queries/list-data-record-changes.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { presentDataRecordChange } from './presenter.js';
import { DataRecordChangePage, ListDataRecordChangesQuery } from './schemas.js';

const list = defineRoute({
  operationId: 'listDataRecordChanges',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}/changes',
  tag: 'Data records',
  summary: 'List the changes of a data record',
  description: 'Newest first. Anyone who may read the record may read its changes.',
  access: workspaceMember({ scope: 'data:read' }),
  query: ListDataRecordChangesQuery,
  response: { status: 200, schema: DataRecordChangePage },
  handler: async ({ context, params, query }) =>
    presentPage(
      query,
      await listDataRecordChanges(context, params.data_type_id, params.record_id, query),
      presentDataRecordChange,
    ),
});

export const recordChangeRoutes = [list];
