/** Which part of a list is asked for, and in which order. */
export interface PageRequest<SortField extends string = string> {
  /** From 1. */
  page: number;
  pageSize: number;
  sortBy: SortField;
  sortOrder: 'asc' | 'desc';
}

/** The rows of one page, and how many there are over all pages. */
export interface PageOf<T> {
  items: T[];
  total: number;
  /** Whether the page has more rows than these: they were too large together. */
  isCut?: boolean;
}

/** How many rows stand before this page. */
export function offsetOf(request: Pick<PageRequest, 'page' | 'pageSize'>): number {
  return (request.page - 1) * request.pageSize;
}
