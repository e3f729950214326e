import { raw, type Sql, sql } from '../sql.js';

/** What one list, or one step of a longer read, takes from the database at most; its first row, whatever its size. */
export const maxReadBytes = 2 * 1_024 * 1_024;

/** What a step of an export takes: each is parsed and written out at a stretch, and others wait for it. */
export const exportStepBytes = 512 * 1_024;

/** What a row costs besides its values. */
export const rowBytes = 500;

/** A row of a page, with what its size is told by. */
export type Sized<T> = T & { place: number; valueBytes: number; rowsOfPage: number; bytesSoFar: number };

/** The first rows of a page. */
export interface Cut<T> {
  items: T[];
  /** Rows of the page. */
  found: number;
  /** Whether the page has more rows than these. */
  isCut: boolean;
}

/**
 * SQL for the first rows of a page that fit into `bytes`, and at least one: what is left out is not sent.
 *
 * @param page selects the page's rows with "valueBytes" and, from 1, "place"
 */
export function withinBytes(page: Sql, bytes: number = maxReadBytes): Sql {
  return sql`select * from (
      select page.*, count(*) over () as "rowsOfPage",
        sum(page."valueBytes" + ${raw(String(rowBytes))}) over (order by page.place) as "bytesSoFar"
      from (${page}) page
    ) sized
    where place = 1 or "bytesSoFar" <= ${raw(String(bytes))} order by place`;
}

/** What `withinBytes` found. */
export function cutOf<T>(rows: readonly Sized<T>[]): Cut<T> {
  const found = rows[0]?.rowsOfPage ?? 0;
  const items = rows.map((row) => {
    const { place: _, valueBytes: __, rowsOfPage: ___, bytesSoFar: ____, ...item } = row;
    return item as T;
  });
  return { items, found, isCut: items.length < found };
}

/** How many of the first of these sizes fit, at least one. */
export function countFitting(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size) => {
    bytes += size + rowBytes;
    return bytes > maxReadBytes;
  });
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}
