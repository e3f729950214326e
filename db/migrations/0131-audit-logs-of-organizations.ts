import type { Knex } from 'knex';
import { auditColumns } from './0130-audit-log.js';

/**
 * The audit logs of organizations (docs/decisions/0165-audit-logs.md). Who acted is kept as member of the organization, for
 * those who read it, and as account, because memberships end. What is sampled is one row for each reason and hour.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.organization_audit_events (
      id bigint generated always as identity primary key,
      organization_id bigint not null,
      actor_account_id bigint,
      actor_member_id bigint,
      ${auditColumns}
      unique (id, organization_id)
    );
    grant select, insert, delete on identity.organization_audit_events to wes_app;
    grant update (count, address, user_agent, request_id) on identity.organization_audit_events to wes_app;
    create index organization_audit_events_by_time
      on identity.organization_audit_events (organization_id, created_at, id);
    create index organization_audit_events_of_actor
      on identity.organization_audit_events (actor_account_id) where actor_account_id is not null;
    create index organization_audit_events_old on identity.organization_audit_events (created_at);
    create unique index organization_audit_events_sampled
      on identity.organization_audit_events (organization_id, action, names, sampled_hour) where sampled_hour is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table identity.organization_audit_events');
}
