import { type Model, type QueryBuilder, raw } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { countFitting } from './within-bytes.js';

interface PageOptions {
  /** The sort column is never null: its ascending index then serves the descending order as well. */
  neverNull?: boolean;
  /** The rows are found by other indexes than that of the order, which would pass all rows that are not of the list. */
  findsFirst?: boolean;
}

/** As many rows are found and sorted sooner than the index of their order leads to them. */
const sortedSoon = 1_000;

/** Reads a page in a stable order, cut where its rows exceed the limit of a read, and the count of all rows. */
export async function readPage<M extends Model>(
  query: QueryBuilder<M>,
  page: Omit<PageRequest, 'sortBy'>,
  sortColumn: string,
  idColumn: string,
  { neverNull = false, findsFirst = false }: PageOptions = {},
): Promise<PageOf<M>> {
  const total = await query.clone().clearSelect().resultSize();
  const found = findsFirst && total <= sortedSoon ? foundOnce(query) : query;
  const ofPage = found
    .orderBy(sortColumn, page.sortOrder, neverNull && page.sortOrder === 'desc' ? 'first' : 'last')
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

/** The same rows, which the planner finds before it sorts them. */
function foundOnce<M extends Model>(query: QueryBuilder<M>): QueryBuilder<M> {
  const model = query.modelClass();
  const found = model.query(query.knex()).withMaterialized('found', query.clone());
  return found.from(`found as ${model.tableName}`) as unknown as QueryBuilder<M>;
}
