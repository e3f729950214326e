import { type QueryKey, useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

export interface RowPage<T> {
  items: readonly T[];
  total: number;
}

/** How a page of a list is read. */
export interface PageQuery<T> {
  queryKey: QueryKey;
  queryFn(context: { signal: AbortSignal }): Promise<RowPage<T>>;
  refetchInterval?: number | false;
}

interface Options<T> {
  /** The element that scrolls. */
  scroll: RefObject<HTMLElement | null>;
  /** Height of a row, in pixels. */
  rowHeight: number;
  pageSize: number;
  /** How a page of the list is read, from 1. */
  page(number: number): PageQuery<T>;
}

export interface PagedRows<T> {
  /** How many there are; undefined until the first page is read. */
  total: number | undefined;
  /** Height of all rows, in pixels. */
  height: number;
  /** The rows in view; `item` is undefined until its page is read. */
  rows: readonly { index: number; start: number; end: number; item: T | undefined }[];
  error: Error | null;
}

/** A list of any length: it reads the pages that are in view, and gives the rows that are. */
export function usePagedRows<T>({ scroll, rowHeight, pageSize, page }: Options<T>): PagedRows<T> {
  const { data: first, error } = useQuery(page(1));
  const virtual = useVirtualizer({
    count: first?.total ?? 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const inView = virtual.getVirtualItems();
  const pages = [...new Set(inView.map(({ index }) => Math.floor(index / pageSize) + 1))];
  const results = useQueries({ queries: pages.map(page) });
  return {
    total: first?.total,
    height: virtual.getTotalSize(),
    rows: inView.map(({ index, start, end }) => ({
      index,
      start,
      end,
      item: results[pages.indexOf(Math.floor(index / pageSize) + 1)]?.data?.items[index % pageSize],
    })),
    error,
  };
}
