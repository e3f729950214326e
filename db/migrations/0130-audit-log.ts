import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/** What both logs say of an act: who, what, when and from where; no content. */
export const auditColumns = `created_at timestamptz not null,
         action text not null,
         credential_kind text,
         credential_id bigint,
         subject_type text,
         subject_id bigint,
         names text[] not null default '{}',
         address text,
         user_agent text,
         request_id text,
         count integer not null default 1 check (count > 0),
         sampled_hour timestamptz,`;

/**
 * The audit logs of workspaces and of accounts, and for how many days a workspace keeps its own
 * (docs/decisions/0165-audit-logs.md). No foreign keys: an event outlives what
 * it is about. Rows are added; who acted, what and when is never changed, and nothing younger than thirty days is deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable('audit_events', `${auditColumns} actor_member_id bigint`, 'select, insert, delete'),
      `create policy young_events_stay on audit_events as restrictive for delete to wes_app
         using (created_at < now() - interval '30 days');
       grant update (count, address, user_agent, request_id) on audit_events to wes_app;
       create index audit_events_by_time on audit_events (workspace_id, created_at, id);
       create index audit_events_of_action on audit_events (workspace_id, action, created_at, id);
       create index audit_events_of_actor on audit_events (workspace_id, actor_member_id, created_at, id);
       create index audit_events_of_subject on audit_events (workspace_id, subject_type, subject_id, created_at, id);
       create unique index audit_events_sampled on audit_events
         (workspace_id, action, credential_kind, credential_id, sampled_hour) where sampled_hour is not null;

       create table identity.audit_events (
         id bigint generated always as identity primary key,
         account_id bigint not null,
         ${auditColumns}
         unique (id, account_id)
       );
       grant select, insert, delete on identity.audit_events to wes_app;
       grant update (count, address, user_agent, request_id) on identity.audit_events to wes_app;
       create index audit_events_of_account on identity.audit_events (account_id, created_at, id);
       create index audit_events_old on identity.audit_events (created_at);
       create unique index audit_events_sampled_of_account on identity.audit_events
         (account_id, action, credential_kind, credential_id, sampled_hour) nulls not distinct where sampled_hour is not null;`,
    ].join('\n'),
  );
  await knex.raw(
    'alter table identity.workspaces add column audit_retention_days integer not null default 365',
  );
  await knex.raw(
    `update member_roles set permissions = permissions || '{audit:read}'::text[]
     where permissions @> array['workspace:write', 'roles:write'] and not 'audit:read' = any(permissions)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update member_roles set permissions = array_remove(permissions, 'audit:read');
    alter table identity.workspaces drop column audit_retention_days;
    drop table audit_events, identity.audit_events;
  `);
}
