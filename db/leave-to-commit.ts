import { askedBy } from './connection/composer.js';
import { Transaction } from './connection/transaction.js';
import type { Tx } from './database.js';

/**
 * Lets writes go out in one message with the commit, which fails with the error of any that fails: for the last writes of
 * a transaction, whose answers nothing depends on. All their statements are asked before this is called, by `prepared` or
 * `statement`: what is composed with knex is asked only later.
 */
export function leaveToCommit(tx: Tx, writes: Promise<unknown>): void {
  const transaction = askedBy(tx);
  if (!(transaction instanceof Transaction)) throw new Error('there is no transaction to commit');
  transaction.leaveToCommit(writes);
}
