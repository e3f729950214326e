import type { Knex } from 'knex';
import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import type { AnyTx } from '../tx.js';

/** A table outside row-level security. Methods without a transaction use a connection of the pool. */
export abstract class IdentityTable {
  constructor(protected readonly knex: Knex) {}
}

/** Returns `{camelCase: 'camel_case'}` for these fields, the form in which knex selects and returns them. */
export function aliases(fields: object, table?: string): Record<string, string> {
  const prefix = table === undefined ? '' : `${table}.`;
  return Object.fromEntries(Object.keys(fields).map((field) => [field, prefix + snakeCase(field)]));
}

/** Returns these fields in the form in which knex's `returning` takes them. */
export function returned(fields: object): string[] {
  return Object.entries(aliases(fields)).map(([field, name]) => `${name} as ${field}`);
}

/** Returns a row to write: column names for field names, without undefined fields. */
export function columns(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [snakeCase(field), value]),
  );
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export async function countOf(found: Knex.QueryBuilder): Promise<number> {
  const counted: { count: number }[] = await found.clone().clearSelect().count({ count: '*' });
  return counted[0]?.count ?? 0;
}

/** Reads one page of a query, and counts all rows that it finds. */
export async function pageOf<Row>(
  found: Knex.QueryBuilder,
  page: Omit<PageRequest, 'sortBy'>,
  sortColumn: string,
  idColumn = 'id',
): Promise<PageOf<Row>> {
  const items: Row[] = await found
    .clone()
    .orderBy(sortColumn, page.sortOrder)
    .orderBy(idColumn, page.sortOrder)
    .limit(page.pageSize)
    .offset(offsetOf(page));
  return { items, total: await countOf(found) };
}

/**
 * Deletes up to a hundred rows of a table that expired before a time, except locked ones. The order is that of an index of the
 * table: without it, a table of which nothing has expired would be read whole, as often as somebody begins to sign in.
 */
export async function removeExpiredRows(tx: AnyTx, table: string, before: Date, key = 'id'): Promise<void> {
  const old = tx(table).select(key).where('expires_at', '<', before).orderBy('expires_at').limit(100);
  await tx(table).whereIn(key, old.forUpdate().skipLocked()).delete();
}
