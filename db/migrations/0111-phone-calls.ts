import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/**
 * Phone calls, the bridges that have held their sound, and what was said in them as messages of their chats
 * (docs/decisions/0144-a-call-holds-the-floor.md). A call that has not finished holds the floor of its chat: there is one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'phone_calls',
        `${uuid},
         chat_id bigint,
         phone_number_id bigint not null,
         member_id bigint,
         inbound boolean not null,
         remote_number text,
         carrier_call_id text,
         status text not null default 'pending' check (status in
           ('pending', 'ringing', 'in-progress', 'completed', 'busy', 'no-answer', 'failed', 'canceled')),
         termination_reason text,
         carrier_status text,
         failure_detail text,
         blocked_reason text,
         agent_member_id bigint,
         begun_by text not null check (begun_by in ('api', 'task', 'agent', 'caller')),
         requested_by_member_id bigint,
         assignment_task_id bigint,
         claim_token uuid,
         claimed_at timestamptz,
         attempts integer not null default 0,
         outcome_unknown boolean not null default false,
         look_ups integer not null default 0,
         dialed_at timestamptz,
         started_at timestamptz,
         finished_at timestamptz,
         asked_at timestamptz,
         ended_by text,
         released_at timestamptz,
         answered_by text,
         transfer_status text,
         duration_seconds integer,
         credits double precision not null default 0,
         price double precision,
         price_unit text,
         bill_due_at timestamptz,
         settled_at timestamptz,
         ${timestamps},
         unique (workspace_id, carrier_call_id),
         check (finished_at is not null or status in ('pending', 'ringing', 'in-progress')),
         ${tenantKey('chat_id', 'chats')},
         ${tenantKey('phone_number_id', 'phone_numbers', 'on delete cascade')},
         ${tenantKey('member_id', 'members')},
         ${tenantKey('agent_member_id', 'members')},
         ${tenantKey('requested_by_member_id', 'members')},
         ${tenantKey('assignment_task_id', 'assignment_tasks', 'on delete set null (assignment_task_id)')}`,
      ),
      `create unique index phone_calls_open on phone_calls (workspace_id, chat_id) where finished_at is null;
       create index on phone_calls (workspace_id, chat_id, id);
       create index on phone_calls (workspace_id, phone_number_id, id);
       create index on phone_calls (workspace_id, member_id, id);
       create index on phone_calls (workspace_id, created_at, id);
       create index on phone_calls (workspace_id, remote_number, created_at);
       create index on phone_calls (workspace_id, agent_member_id);
       create index on phone_calls (workspace_id, requested_by_member_id);
       create index on phone_calls (workspace_id, assignment_task_id);
       create index phone_calls_unsettled on phone_calls (workspace_id, id) where settled_at is null;
       create index phone_calls_unbilled on phone_calls (workspace_id, bill_due_at) where bill_due_at is not null;`,
      tenantTable(
        'call_bridges',
        `call_id bigint not null,
         attempt integer not null,
         process_id uuid,
         stream_id text,
         began_at timestamptz,
         heartbeat_at timestamptz,
         ended_at timestamptz,
         end_reason text,
         command text check (command in ('hang_up', 'transfer')),
         command_at timestamptz,
         acknowledged_at timestamptz,
         created_at timestamptz not null default now(),
         unique (workspace_id, call_id, attempt),
         ${tenantKey('call_id', 'phone_calls', 'on delete cascade')}`,
      ),
      `create index call_bridges_open on call_bridges (workspace_id, process_id) where ended_at is null;
       alter table messages
         add column call_id bigint,
         add column call_item_id text,
         add column audio_metadata jsonb,
         add column audio_file_uuid uuid;
       create unique index messages_of_calls on messages (workspace_id, call_id, call_item_id)
         where call_id is not null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messages
      drop column call_id, drop column call_item_id, drop column audio_metadata, drop column audio_file_uuid;
    drop table call_bridges, phone_calls;
  `);
}
