import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/**
 * Event rules, their receivers, and the deliveries of events. A delivery is deleted with its event, and so with the
 * data record that the event concerns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'webhook_endpoints',
        `url text not null,
         url_digest bytea not null,
         mean_duration_ms integer not null default 0,
         next_slot_at timestamptz,
         created_at timestamptz not null default now(),
         unique (workspace_id, url_digest)`,
      ),
      tenantTable(
        'event_rules',
        `${uuid},
         name text not null,
         event_type text not null,
         action_type text not null check (action_type = 'webhook:send'),
         webhook_endpoint_id bigint not null,
         enabled boolean not null default true,
         disabled_at timestamptz,
         disabled_reason text check (disabled_reason in ('by_member', 'gone', 'failing')),
         failing_since timestamptz,
         created_by_member_id bigint,
         deleted_at timestamptz,
         ${timestamps},
         check (enabled = (disabled_at is null) and enabled = (disabled_reason is null)),
         ${tenantKey('webhook_endpoint_id', 'webhook_endpoints')},
         ${tenantKey('created_by_member_id', 'members')}`,
      ),
      tenantTable(
        'event_rule_secrets',
        `${uuid},
         event_rule_id bigint not null,
         ciphertext bytea not null,
         created_at timestamptz not null,
         expires_at timestamptz,
         ${tenantKey('event_rule_id', 'event_rules', 'on delete cascade')}`,
      ),
      tenantTable(
        'event_rule_notices',
        `${uuid},
         event_rule_id bigint not null,
         member_id bigint not null,
         reason text not null check (reason in ('gone', 'failing')),
         created_at timestamptz not null,
         claimed_at timestamptz,
         sent_at timestamptz,
         failure_reason text,
         ${tenantKey('event_rule_id', 'event_rules', 'on delete cascade')},
         ${tenantKey('member_id', 'members')}`,
      ),
      tenantTable(
        'webhook_deliveries',
        `${uuid},
         event_rule_id bigint not null,
         event_id bigint not null,
         event_type text not null,
         trigger text not null check (trigger in ('event', 'redelivery', 'test')),
         requested_by_member_id bigint,
         status text not null default 'pending'
           check (status in ('pending', 'delivered', 'failed', 'cancelled')),
         failure_reason text,
         attempt_count integer not null default 0,
         last_status_code integer,
         next_attempt_at timestamptz,
         created_at timestamptz not null,
         completed_at timestamptz,
         check ((status = 'pending') = (completed_at is null)),
         ${tenantKey('event_rule_id', 'event_rules')},
         ${tenantKey('event_id', 'events', 'on delete cascade')},
         ${tenantKey('requested_by_member_id', 'members')}`,
      ),
      tenantTable(
        'webhook_attempts',
        `webhook_delivery_id bigint not null,
         webhook_endpoint_id bigint not null,
         number integer not null,
         started_at timestamptz not null,
         lease_until timestamptz not null,
         finished_at timestamptz,
         duration_ms integer,
         status_code integer,
         error_code text,
         response_body text,
         unique (workspace_id, webhook_delivery_id, number),
         ${tenantKey('webhook_delivery_id', 'webhook_deliveries', 'on delete cascade')},
         ${tenantKey('webhook_endpoint_id', 'webhook_endpoints')}`,
      ),
      `create index on event_rules (workspace_id, event_type) where enabled and deleted_at is null;
       create index on event_rules (workspace_id, webhook_endpoint_id);
       create index on event_rule_secrets (workspace_id, event_rule_id);
       create index on event_rule_notices (workspace_id, event_rule_id);
       create index on webhook_deliveries (workspace_id, event_rule_id, id);
       create index on webhook_deliveries (workspace_id, event_id);
       create index on webhook_deliveries (workspace_id, next_attempt_at) where status = 'pending';
       create index on webhook_attempts (workspace_id, webhook_endpoint_id) where finished_at is null;
       create index on outbox (workspace_id, id) where run_type = 'deliverWebhook' and parked_at is null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `drop index outbox_workspace_id_id_idx;
     drop table webhook_attempts, webhook_deliveries, event_rule_notices, event_rule_secrets, event_rules,
       webhook_endpoints;`,
  );
}
