import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/** Admins are told by mail of remote MCP servers that refuse a token, or have changed a tool that was allowed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table event_rule_notices
      add column mcp_server_id bigint,
      drop constraint event_rule_notices_reason_check,
      add constraint event_rule_notices_reason_check
        check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up', 'secret_refused',
                          'mcp_server_refused', 'mcp_tools_changed')),
      add ${tenantKey('mcp_server_id', 'mcp_servers', 'on delete cascade')};
    create index on event_rule_notices (workspace_id, mcp_server_id) where mcp_server_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from event_rule_notices where mcp_server_id is not null;
    alter table event_rule_notices
      drop column mcp_server_id,
      drop constraint event_rule_notices_reason_check,
      add constraint event_rule_notices_reason_check
        check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up', 'secret_refused'));
  `);
}
