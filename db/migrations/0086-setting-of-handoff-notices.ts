import type { Knex } from 'knex';

/**
 * Who is told that chats wait for a person, and how: a setting of the workspace. In a transaction of its own, because every
 * request reads workspaces, and would wait while this waits for chats. Databases of the days before have the column.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces add column if not exists handoff_notices jsonb;
    create index if not exists workspaces_with_handoff_notices on identity.workspaces (id)
      where handoff_notices is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column handoff_notices');
}
