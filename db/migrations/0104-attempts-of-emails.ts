import type { Knex } from 'knex';

/**
 * The attempt at an email that has begun (docs/decisions/0132-email-is-sent-by-inboxes.md). A worker of the release before
 * email claims deliveries by email too, and cannot send them: such an attempt is not in this column, so that the email
 * waits on. Null: it is not known. The index counts what agents and tasks of a workspace begin in a day.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table emails add column begun_attempt integer;
    create index emails_begun on emails (workspace_id, created_at) where unsubscribe_token is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index emails_begun;
    alter table emails drop column begun_attempt;
  `);
}
