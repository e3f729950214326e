/** The requested page of a list, and its order. */
export interface PageRequest<SortField extends string = string> {
  /** From 1. */
  page: number;
  pageSize: number;
  sortBy: SortField;
  sortOrder: 'asc' | 'desc';
}

/** The rows of one page, and the number of rows on all pages. */
export interface PageOf<T> {
  items: T[];
  total: number;
  /** Whether rows of the page were left out because together they are too large. */
  isCut?: boolean;
}

export function offsetOf(request: Pick<PageRequest, 'page' | 'pageSize'>): number {
  return (request.page - 1) * request.pageSize;
}

/** One page of a list that is read page by page. */
export interface WalkPage<Item, Place> {
  items: Item[];
  /** Start of the next page; undefined on the last page. */
  next: Place | undefined;
}
