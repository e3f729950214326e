import type { Sql } from '../sql.js';

/** Maximum bytes that one list, or one step of a longer read, reads. The first row is read whatever its size. */
export const maxReadBytes = 2 * 1_024 * 1_024;

/** Maximum bytes of one step of an export: parsing and writing a step blocks the event loop. */
export const exportStepBytes = 512 * 1_024;

/** What a row costs in bytes besides its values. */
export const rowBytes = 500;

/** A row of a page, with the columns that determine where the page is cut. */
export type Sized<T> = T & { valueBytes: number; place: number; bytesSoFar: number; hasNext: true | null };

/** The first rows of a page; `isCut` if they are not all. */
export interface Cut<T> {
  items: T[];
  isCut: boolean;
}

/**
 * Returns SQL for the first rows of a page that fit into `bytes`, at least one. The rest is not sent. Its columns are of one
 * window, as PostgreSQL copies each row for each.
 * @param page selects the page's rows in their order, with "valueBytes"
 */
export function withinBytes(page: Sql, bytes: number = maxReadBytes): Sql {
  const text = `select * from (
      select page.*, row_number() over read as place, lead(true) over read as "hasNext",
        sum(page."valueBytes" + ${rowBytes}) over read as "bytesSoFar"
      from (${page.text}) page window read as (rows unbounded preceding)
    ) sized
    where place = 1 or "bytesSoFar" <= ${bytes} order by place`;
  return { text, bindings: page.bindings };
}

/** The rows themselves: a copy of each without its further columns would cost more than to write it. */
export function cutOf<T>(rows: Sized<T>[]): Cut<T> {
  return { items: rows, isCut: rows.at(-1)?.hasNext === true };
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
