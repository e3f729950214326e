import type { Model, QueryBuilder } from 'objection';
import type { PageOf, PageRequest } from '../../domain/paging.js';

/**
 * One page of a query, in a stable order, and the count of all that it finds. One after the other: a transaction is
 * one connection, which answers one question at a time.
 */
export async function readPage<M extends Model>(
  query: QueryBuilder<M>,
  page: Omit<PageRequest, 'sortBy'>,
  sortColumn: string,
  idColumn: string,
): Promise<PageOf<M>> {
  const total = await query.clone().clearSelect().resultSize();
  const items = await query
    .orderBy(sortColumn, page.sortOrder, 'last')
    .orderBy(idColumn, page.sortOrder)
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize);
  return { items, total };
}
