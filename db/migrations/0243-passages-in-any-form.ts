import type { Knex } from 'knex';

/** Each statement is a transaction of its own, so that nobody waits for a passage until all are done. */
export const config = { transaction: false };

const atOnce = 500;

/**
 * Passages of before that are not ASCII alone get the words of their other forms, by the trigger of 0240. What is done is
 * not lost if the migration is interrupted, and doing it twice changes nothing.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of ['file_passages', 'page_passages']) {
    let last: string | null = '0';
    while (last !== null) {
      const { rows }: { rows: { last: string | null }[] } = await knex.raw(
        `with batch as materialized (
           select id, text from ${table} where id > ? order by id limit ${atOnce}
         ), written as (
           update ${table} as passage set text = passage.text from batch
           where passage.id = batch.id and octet_length(batch.text) <> length(batch.text)
         )
         select max(id) as last from batch`,
        [last],
      );
      last = rows[0]?.last ?? null;
    }
  }
}

export async function down(): Promise<void> {
  // The search of before finds the words as they are written, which are still there.
}
