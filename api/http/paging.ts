import type { PageOf, PageRequest } from '../../domain/lib/paging.js';

/** One page of a list in an answer: see `Page` in schemas.ts. */
export interface PresentedPage<T> extends PageOf<T> {
  page: number;
  pageSize: number;
  totalPages: number;
}

/** Presents each row of a page, and adds the position of the page in the list. */
export function presentPage<Row, Shown>(
  request: Pick<PageRequest, 'page' | 'pageSize'>,
  found: PageOf<Row>,
  present: (row: Row) => Shown,
): PresentedPage<Shown> {
  return {
    items: found.items.map((row) => present(row)),
    total: found.total,
    page: request.page,
    pageSize: request.pageSize,
    totalPages: Math.ceil(found.total / request.pageSize),
    ...(found.isCut === true ? { isCut: true } : {}),
  };
}
