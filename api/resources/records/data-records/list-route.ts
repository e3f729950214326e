import {
  listDataRecords,
  prefetchListedType,
} from '../../../../domain/records/data-records/queries/list-data-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { filterOf } from './filter-of.js';
import { DataRecordPage, ListDataRecordsQuery } from './list-schemas.js';
import { presentDataRecord } from './presenter.js';

export const listRoute = defineRoute({
  operationId: 'listDataRecords',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records',
  tag: 'Data records',
  summary: 'List data records',
  description:
    "Without the permission data:read or data:read:<slug>, the list contains the caller's own records, except hidden ones, and records shared with everyone. Pages end at the 10,000th record: narrow the list by createdFrom and createdBefore, or use an export.",
  access: workspaceMember({ scope: 'data:read' }),
  query: ListDataRecordsQuery,
  response: { status: 200, schema: DataRecordPage },
  prefetch: (tx, { params }) => prefetchListedType(tx, params.data_type_id),
  handler: async ({ context, params, query, prefetched }) => {
    const retired = query.retired === 'all' ? 'all' : query.retired === 'true';
    const filter = { ...filterOf(query), retired } as const;
    const found = await listDataRecords(context, params.data_type_id, filter, query, prefetched);
    return { ...presentPage(query, found, presentDataRecord), totalIsExact: found.totalIsExact };
  },
});
