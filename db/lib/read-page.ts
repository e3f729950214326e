import { type Model, type QueryBuilder, raw } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { countFitting } from './within-bytes.js';

/** Reads a page in a stable order, cut where its rows exceed the limit of a read, and the count of all rows. */
export async function readPage<M extends Model>(
  query: QueryBuilder<M>,
  page: Omit<PageRequest, 'sortBy'>,
  sortColumn: string,
  idColumn: string,
): Promise<PageOf<M>> {
  const total = await query.clone().clearSelect().resultSize();
  const ofPage = query
    .orderBy(sortColumn, page.sortOrder, 'last')
    .orderBy(idColumn, page.sortOrder)
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize);
  const sizes = await ofPage
    .clone()
    .clearSelect()
    .select(raw('octet_length(??::text)', [query.modelClass().tableName]).as('bytes'))
    .castTo<{ bytes: number }[]>();
  const fitting = countFitting(sizes.map(({ bytes }) => bytes));
  if (sizes.length === 0) return { items: [], total };
  return { items: await ofPage.limit(fitting), total, isCut: fitting < sizes.length };
}
