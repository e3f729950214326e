import type { Knex } from 'knex';

/** What a transfer may last and whether it leads abroad, which are counted by day, and why one was refused. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table call_transfers
      add column blocked_reason text,
      add column max_seconds integer,
      add column is_abroad boolean not null default false;
    create index call_transfers_by_time on call_transfers (workspace_id, dialed_at) where dialed_at is not null;
    alter table phone_calls add column transfer_blocked_reason text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index call_transfers_by_time;
    alter table call_transfers drop column blocked_reason, drop column max_seconds, drop column is_abroad;
    alter table phone_calls drop column transfer_blocked_reason;
  `);
}
