import type { Knex } from 'knex';

/** A record holds a file once, and each of its files is found without the others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unique index file_attachments_of_record on file_attachments (workspace_id, record_id, file_id)
      where record_id is not null;
    drop index file_attachments_workspace_id_record_id_idx;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index on file_attachments (workspace_id, record_id) where record_id is not null;
    drop index file_attachments_of_record;
  `);
}
