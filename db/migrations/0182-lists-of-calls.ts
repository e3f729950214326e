import type { Knex } from 'knex';

/** Indexes for lists of calls by status, and in the order of their answers and ends, the latest first. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index phone_calls_by_status on phone_calls (workspace_id, status, created_at, id);
    create index phone_calls_by_start on phone_calls (workspace_id, started_at desc nulls last, id desc);
    create index phone_calls_by_end on phone_calls (workspace_id, finished_at desc nulls last, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index phone_calls_by_status, phone_calls_by_start, phone_calls_by_end');
}
