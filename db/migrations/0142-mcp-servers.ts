import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/**
 * The remote MCP servers of a workspace and their tools, as they were last listed; agents may call those whose digest is the one
 * that an admin has allowed (docs/decisions/0184-tools-of-remote-mcp-servers.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'mcp_servers',
        `${uuid},
         name text not null,
         url text not null,
         token bytea,
         enabled boolean not null default true,
         changed_by_member_id bigint,
         credential_changed_at timestamptz not null,
         refused_at timestamptz,
         unavailable_until timestamptz,
         refresh_began_at timestamptz,
         refreshed_at timestamptz,
         refresh_failure text,
         is_list_cut boolean not null default false,
         tools_changed_at timestamptz,
         ${timestamps},
         unique (workspace_id, name),
         ${tenantKey('changed_by_member_id', 'members')}`,
      ),
      tenantTable(
        'mcp_tools',
        `server_id bigint not null,
         name text not null,
         title text,
         description text not null,
         input_schema jsonb,
         is_read_only boolean not null,
         is_idempotent boolean not null,
         is_destructive boolean not null,
         digest text not null,
         problem text,
         gone_at timestamptz,
         allowed_digest text,
         approval text check (approval in ('none', 'person')),
         allowed_by_member_id bigint,
         allowed_at timestamptz,
         ${timestamps},
         unique (workspace_id, server_id, name),
         check ((allowed_digest is null) = (approval is null)),
         ${tenantKey('server_id', 'mcp_servers', 'on delete cascade')},
         ${tenantKey('allowed_by_member_id', 'members')}`,
      ),
      `create index on mcp_servers (workspace_id, changed_by_member_id);
       create index on mcp_tools (workspace_id, allowed_by_member_id) where allowed_by_member_id is not null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table mcp_tools, mcp_servers;');
}
