import type { Knex } from 'knex';
import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { changedBy, statement } from '../statement.js';
import type { AnyTx } from '../tx.js';

/** A table outside row-level security. Methods without a transaction use a connection of the pool. */
export abstract class IdentityTable {
  constructor(protected readonly knex: Knex) {}
}

/** What a list selects, the tables and conditions that it is from, and the values of their placeholders. */
interface Listed {
  select: string;
  from: string;
  bindings: readonly unknown[];
}

/** Reads one page of a list, and counts all of its rows. */
export async function pageOf<Row>(
  knex: Knex,
  { select, from, bindings }: Listed,
  { page, pageSize, sortOrder }: Omit<PageRequest, 'sortBy'>,
  sortColumn: string,
  idColumn = 'id',
): Promise<PageOf<Row>> {
  const order = `order by ${sortColumn} ${sortOrder}, ${idColumn} ${sortOrder} limit ? offset ?`;
  const ofPage = [...bindings, pageSize, offsetOf({ page, pageSize })];
  const items = await statement<Row>(knex, `select ${select} from ${from} ${order}`, ofPage);
  const [counted] = await statement<{ total: number }>(
    knex,
    `select count(*) as total from ${from}`,
    bindings,
  );
  return { items, total: counted?.total ?? 0 };
}

/**
 * Deletes up to a hundred rows of a table that expired before a time, except locked ones. The order is that of an index of the
 * table: without it, a table of which nothing has expired would be read whole, as often as somebody begins to sign in.
 */
export async function removeExpiredRows(
  tx: AnyTx,
  { tableName }: { tableName: string },
  before: Date,
  key = 'id',
): Promise<void> {
  await changedBy(
    tx,
    `delete from ${tableName} where ${key} in (select ${key} from ${tableName}
       where expires_at < ? order by expires_at limit 100 for update skip locked)`,
    [before],
  );
}
