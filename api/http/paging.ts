import type { PageOf, PageRequest } from '../../domain/lib/paging.js';

/** One page of a list in an answer: see `Page` in schemas.ts. */
export interface PresentedPage<T> extends PageOf<T> {
  page: number;
  pageSize: number;
  totalPages: number;
}

export function presentPage<Row, Shown>(
  { page, pageSize }: Pick<PageRequest, 'page' | 'pageSize'>,
  { items, total, isCut }: PageOf<Row>,
  present: (row: Row) => Shown,
): PresentedPage<Shown> {
  return {
    items: items.map((row) => present(row)),
    total,
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
    ...(isCut === true ? { isCut } : {}),
  };
}
