import { hashKey, keepPreviousData, type QueryKey, useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';

export interface RowPage<T> {
  items: readonly T[];
  total: number;
}

/** How a page of a list is read. */
export interface PageQuery<T> {
  queryKey: QueryKey;
  queryFn(context: { signal: AbortSignal }): Promise<RowPage<T>>;
  refetchInterval?: number | false;
  staleTime?: number;
  refetchOnWindowFocus?: 'always';
}

interface Options<T> {
  /** The element that scrolls. */
  scroll: RefObject<HTMLElement | null>;
  /** Height of a row, in pixels. */
  rowHeight: number;
  /** Height of what covers the first rows while they scroll, in pixels. */
  headHeight?: number;
  /** Whether the rows of one list stay until the next list is read. */
  keepsRows?: boolean;
  pageSize: number;
  /** How a page of the list is read, from 1. */
  page(number: number): PageQuery<T>;
}

export interface PagedRows<T> {
  /** How many there are; undefined until the first page is read. */
  total: number | undefined;
  /** Height of all rows, in pixels. */
  height: number;
  /** The rows in view and some around; `item` is undefined until its page is read. */
  rows: readonly PagedRow<T>[];
  /** Why a page that is in view could not be read. */
  error: Error | null;
}

export interface PagedRow<T> {
  index: number;
  start: number;
  end: number;
  isInView: boolean;
  item: T | undefined;
}

/**
 * A list of any length: it reads the pages that are in view, and gives the rows that are. Another list, such as one in
 * another order, begins at its top.
 */
export function usePagedRows<T>(options: Options<T>): PagedRows<T> {
  const { scroll, rowHeight, headHeight = 0, keepsRows = false, pageSize, page } = options;
  const first = useQuery({ ...page(1), placeholderData: keepsRows ? keepPreviousData : undefined });
  const list = hashKey(page(1).queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is what another one is known by.
  useEffect(() => {
    scroll.current?.scrollTo({ top: 0 });
  }, [list, scroll]);
  const virtual = useVirtualizer({
    count: first.data?.total ?? 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const around = virtual.getVirtualItems();
  const pageOf = (index: number) => Math.floor(index / pageSize) + 1;
  const further = [...new Set(around.map(({ index }) => pageOf(index)))].filter((number) => number > 1);
  const results = useQueries({ queries: further.map(page) });
  const top = virtual.scrollOffset ?? 0;
  const bottom = top + (virtual.scrollRect?.height ?? 0) - headHeight;
  return {
    total: first.data?.total,
    height: virtual.getTotalSize(),
    rows: around.map(({ index, start, end }) => {
      const number = pageOf(index);
      const read = number === 1 ? first.data : results[further.indexOf(number)]?.data;
      const middle = (start + end) / 2;
      return {
        ...{ index, start, end },
        isInView: middle > top && middle < bottom,
        item: read?.items[index % pageSize],
      };
    }),
    error: first.error ?? results.find(({ error }) => error !== null)?.error ?? null,
  };
}
