import type { Knex } from 'knex';

/**
 * Checks the keys of the migration before, which finds nothing in rows of earlier releases, and indexes them: deleting an
 * email or an inbox looks for what refers to it. In a transaction of its own, and only messages and chats with an inbox are
 * in the indexes, so that writers wait for one reading of the tables.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messages validate constraint messages_email_key, validate constraint messages_inbox_key;
    alter table chats validate constraint chats_inbox_key;
    create index messages_emails on messages (workspace_id, email_id) where email_id is not null;
    create index messages_inboxes on messages (workspace_id, inbox_id) where inbox_id is not null;
    create index chats_inboxes on chats (workspace_id, inbox_id, member_id) where inbox_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index messages_emails, messages_inboxes, chats_inboxes');
}
