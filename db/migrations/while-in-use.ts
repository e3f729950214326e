import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';

const lockNotAvailable = '55P03';
const attempts = 500;

/**
 * Changes a table that is in use. While a statement waits for the table, so does everybody who comes after it, and who has
 * locked what it needs may wait for the table in turn: it gives way at once, and tries again.
 */
export async function givingWay(knex: Knex, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await knex.transaction(async (tx) => {
        await tx.raw(`set local lock_timeout = '300ms'`);
        await tx.raw(statement);
      });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || attempt === attempts) throw error;
      await delay(200);
    }
  }
}

/** Builds an index while its table is written, outside a transaction. An attempt that failed has left one that is not valid. */
export async function addIndex(knex: Knex, name: string, definition: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`create index concurrently ${name} on ${definition}`);
}
