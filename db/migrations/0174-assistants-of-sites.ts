import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/**
 * The assistant that answers visitors of a site (docs/decisions/0209-a-chat-with-an-assistant-alone.md). Sites of earlier releases
 * name none, and offer a chat as before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sites
      add column default_assistant_member_id bigint,
      add ${tenantKey('default_assistant_member_id', 'members', 'on delete set null (default_assistant_member_id)')};
    create index on sites (workspace_id, default_assistant_member_id) where default_assistant_member_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sites drop column default_assistant_member_id');
}
