import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

/**
 * Events as receivers of webhooks get them: the bytes of the body are stored, not generated again for each attempt. An
 * event about a data record is deleted with it, because the deletion of a record is final.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'events',
        `${uuid},
         event_type text not null,
         body text not null,
         data_record_id bigint,
         created_at timestamptz not null,
         ${tenantKey('data_record_id', 'data_records', 'on delete cascade')}`,
        'select, insert, delete',
      ),
      `create index on events (workspace_id, created_at);
       create index on events (workspace_id, data_record_id) where data_record_id is not null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table events;');
}
