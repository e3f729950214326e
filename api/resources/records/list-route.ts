import { type DataRecordFilter, listDataRecords } from '../../../domain/data-records/list-data-records.js';
import { workspaceMember } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { presentPage } from '../../http/paging.js';
import { DataRecordPage, ListDataRecordsQuery } from './list-schemas.js';
import { presentDataRecord } from './presenter.js';

export const listRoute = defineRoute({
  operationId: 'listDataRecords',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records',
  tag: 'Data records',
  summary: 'List data records',
  description:
    "Without the permission data:read or data:read:<slug> the list holds one's own, but for hidden ones, and those that are shared with everyone. Pages end at the 10,000th record: ask for a part, by createdFrom and createdBefore, or for an export.",
  access: workspaceMember({ scope: 'data:read' }),
  query: ListDataRecordsQuery,
  response: { status: 200, schema: DataRecordPage },
  handler: async ({ context, params, query }) => {
    const found = await listDataRecords(context, params.data_type_id, filterOf(query), query);
    return { ...presentPage(query, found, presentDataRecord), totalIsExact: found.totalIsExact };
  },
});

function filterOf(query: ListDataRecordsQuery): DataRecordFilter {
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    memberId: query.memberId,
    externalId: query.externalId,
    retired: query.retired === 'all' ? 'all' : query.retired === 'true',
    createdFrom: time(query.createdFrom),
    createdBefore: time(query.createdBefore),
    updatedFrom: time(query.updatedFrom),
    updatedBefore: time(query.updatedBefore),
    filters: query.filter,
    search: query.search,
  };
}
