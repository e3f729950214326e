import type { Knex } from 'knex';

/**
 * The domain of an unknown sender of an attachment, as a digest, and since when a workspace was last told that attachments
 * are not kept (docs/decisions/0134-received-mail-is-kept-first.md). The index answers what has come within thirty days.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table stored_objects add column mailed_domain bytea;
    alter table inboxes add column attachments_told_at timestamptz;
    create index stored_objects_of_strangers on stored_objects (workspace_id, state_since) include (bytes, mailed_domain)
      where mailed_by = 'stranger' and state <> 'doomed';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index stored_objects_of_strangers;
    alter table inboxes drop column attachments_told_at;
    alter table stored_objects drop column mailed_domain;
  `);
}
