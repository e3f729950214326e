import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** Returns the time of the database's clock in epoch milliseconds: the one clock that all hosts can compare with. */
export async function databaseTimeMs(tx: Tx): Promise<number> {
  const [row] = await prepared<{ ms: number }>(
    tx,
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    [],
  );
  if (row === undefined) throw new Error('the database did not tell the time');
  return row.ms;
}
