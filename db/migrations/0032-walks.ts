import type { Knex } from 'knex';

/** The positions at which jobs that walk through all workspaces continue, and indexes for their look-ups. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.walks (
      name text primary key,
      place jsonb,
      looked_until timestamptz
    );
    grant select, insert, update, delete on identity.walks to wes_app;

    create index deliveries_unsent on deliveries (workspace_id, chat_id, id) where state in ('queued', 'claimed');
    create index deliveries_with_receipt_due on deliveries (workspace_id, chat_id, receipt_due_at)
      where receipt_due_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index deliveries_with_receipt_due, deliveries_unsent;
    drop table identity.walks;
  `);
}
