import type { Knex } from 'knex';
import { tenantTable, timestamps, uuid } from './tenant-table.js';

/** Texts that colleagues insert into their answers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    tenantTable(
      'message_templates',
      `${uuid},
      name text not null,
      shortcut text,
      text text not null,
      translations jsonb not null default '{}',
      ${timestamps},
      unique (workspace_id, shortcut)`,
    ),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table message_templates');
}
