import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/**
 * Requests of agents to web services: the hosts that a workspace allows, its secrets, and the requests that were made, for the
 * limits on them and so that none is made twice (docs/decisions/0140-requests-of-agents.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `alter table identity.workspaces add column if not exists request_hosts text[] not null default '{}';`,
      tenantTable(
        'secrets',
        `${uuid},
         name text not null,
         hosts text[] not null,
         ciphertext bytea not null,
         changed_by_member_id bigint,
         value_changed_at timestamptz not null,
         refused_at timestamptz,
         ${timestamps},
         unique (workspace_id, name),
         ${tenantKey('changed_by_member_id', 'members')}`,
      ),
      tenantTable(
        'tool_requests',
        `chat_id bigint not null,
         tool_call_id text not null,
         idempotency_key uuid not null,
         claim_token uuid not null,
         claimed_at timestamptz not null,
         attempts integer not null default 1,
         settled_at timestamptz,
         status_code integer,
         failure_code text,
         unique (workspace_id, chat_id, tool_call_id),
         ${tenantKey('chat_id', 'chats', 'on delete cascade')}`,
      ),
      `alter table event_rule_notices
         add column secret_id bigint,
         drop constraint event_rule_notices_reason_check,
         add constraint event_rule_notices_reason_check
           check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up', 'secret_refused')),
         add ${tenantKey('secret_id', 'secrets', 'on delete cascade')};
       create index on event_rule_notices (workspace_id, secret_id) where secret_id is not null;
       create index on secrets (workspace_id, changed_by_member_id);
       create index on tool_requests (workspace_id, claimed_at);
       create index on tool_requests (workspace_id, chat_id, claimed_at);
       create index tool_requests_open on tool_requests (workspace_id, claimed_at) where settled_at is null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from event_rule_notices where secret_id is not null;
    alter table event_rule_notices
      drop column secret_id,
      drop constraint event_rule_notices_reason_check,
      add constraint event_rule_notices_reason_check
        check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up'));
    drop table tool_requests, secrets;
    alter table identity.workspaces drop column request_hosts;
  `);
}
