import type { Sql } from '../sql.js';

/** Maximum bytes that one list, or one step of a longer read, reads. The first row is read whatever its size. */
export const maxReadBytes = 2 * 1_024 * 1_024;

/** Maximum bytes of one step of an export: parsing and writing a step blocks the event loop. */
export const exportStepBytes = 512 * 1_024;

/** What a row costs in bytes besides its values. */
export const rowBytes = 500;

/** A row of a page, with the columns that determine where the page is cut. */
export type Sized<T> = T & { place: number; valueBytes: number; rowsOfPage: number; bytesSoFar: number };

/** The first of the `found` rows of a page; `isCut` if they are not all. */
export interface Cut<T> {
  items: T[];
  found: number;
  isCut: boolean;
}

/**
 * Returns SQL for the first rows of a page that fit into `bytes`, at least one. The rest is not sent.
 * @param page selects the page's rows with "valueBytes" and "place", which counts from 1
 */
export function withinBytes(page: Sql, bytes: number = maxReadBytes): Sql {
  const text = `select * from (
      select page.*, count(*) over () as "rowsOfPage",
        sum(page."valueBytes" + ${rowBytes}) over (order by page.place) as "bytesSoFar"
      from (${page.text}) page
    ) sized
    where place = 1 or "bytesSoFar" <= ${bytes} order by place`;
  return { text, bindings: page.bindings };
}

export function cutOf<T>(rows: readonly Sized<T>[]): Cut<T> {
  const found = rows[0]?.rowsOfPage ?? 0;
  const items = rows.map((row) => {
    const { place: _, valueBytes: __, rowsOfPage: ___, bytesSoFar: ____, ...item } = row;
    return item as T;
  });
  return { items, found, isCut: items.length < found };
}

/** How many of the first of these sizes fit into a read, at least one. */
export function countFitting(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size) => {
    bytes += size + rowBytes;
    return bytes > maxReadBytes;
  });
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}
