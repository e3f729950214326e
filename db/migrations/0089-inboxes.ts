import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

const permissions = ['inboxes:read', 'inboxes:write'];

/**
 * Inboxes: the addresses from which a workspace sends email and at which it receives it
 * (docs/decisions/0132-email-is-sent-by-inboxes.md). Their addresses are unique in the whole service, because a received mail
 * finds its workspace by them. Roles that manage workspaces get the permissions, which nobody could grant otherwise.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `create table identity.inbox_routes (
        address text primary key,
        inbox_uuid uuid not null unique,
        workspace_id bigint not null references identity.workspaces (id),
        inbox_id bigint not null
      );
      create index on identity.inbox_routes (workspace_id);
      grant select, insert, delete on identity.inbox_routes to wes_app;`,
      tenantTable(
        'inboxes',
        `${uuid},
         address text not null check (address = lower(address)),
         from_name text not null,
         signature text not null default '',
         assistant_member_id bigint,
         definition_id bigint,
         enabled boolean not null default true,
         authserv_id text,
         inbound_secret_hash bytea not null,
         previous_secret_hash bytea,
         previous_secret_until timestamptz,
         smtp_host text,
         smtp_port integer,
         smtp_security text check (smtp_security in ('tls', 'starttls', 'none')),
         smtp_user text,
         smtp_password bytea,
         ${timestamps},
         unique (workspace_id, address),
         check (num_nulls(smtp_host, smtp_port, smtp_security) in (0, 3)),
         check (num_nulls(smtp_user, smtp_password) in (0, 2)),
         check (num_nulls(previous_secret_hash, previous_secret_until) in (0, 2)),
         ${tenantKey('assistant_member_id', 'members')},
         ${tenantKey('definition_id', 'workflow_definitions')}`,
      ),
    ].join('\n'),
  );
  await knex.raw(
    `update member_roles set permissions = permissions || ?::text[]
     where permissions @> array['workspace:write', 'roles:write'] and not permissions && ?::text[]`,
    [permissions, permissions],
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const permission of permissions) {
    await knex.raw('update member_roles set permissions = array_remove(permissions, ?)', [permission]);
  }
  await knex.raw('drop table inboxes, identity.inbox_routes');
}
