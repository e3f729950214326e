import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/**
 * Columns of a chat whose change was not published before this migration; `ledger` adds the agent's ledger of turns.
 */
const before = [
  'version',
  'handled_version',
  'revision',
  'changed_revision',
  'message_count',
  'last_message_received_at',
  'updated_at',
  'agent_held_since',
  'agent_held_until',
];
const ledger = [
  'attended_at',
  'turns_counted_from',
  'interruptions',
  'agent_stopped_reason',
  'agent_stopped_until',
];

/**
 * An SMS opt-out belongs to the member, and every delivery has a purpose. The limits of an agent count how often it
 * spoke since a person last did, its usage per day, and why it is stopped. Existing chats count from now on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `alter table chats
         add column attended_at timestamptz default now(),
         add column turns_counted_from timestamptz default now(),
         add column interruptions integer not null default 0,
         add column agent_stopped_reason text,
         add column agent_stopped_until timestamptz;
       alter table chats alter column attended_at drop default, alter column turns_counted_from drop default;`,
      stampTrigger([...before, ...ledger]),
      // sms_keyword: the keyword that a message consists of, which is no reply. answers_until: the newest message that
      // a late answer answers.
      `alter table messages add column sms_keyword text, add column answers_until bigint;`,
      `alter table members add column sms_opted_out_at timestamptz;
       update members set sms_opted_out_at = opt_outs.opted_out_at
       from (
         select workspace_id, recipient, min(opted_out_at) as opted_out_at
         from sms_opt_outs group by workspace_id, recipient
       ) as opt_outs
       where members.workspace_id = opt_outs.workspace_id and members.phone = opt_outs.recipient
         and members.deleted_at is null;
       alter table deliveries
         add column purpose text not null default 'reply' check (purpose in ('reply', 'agent_initiated', 'task'));
       create index deliveries_recipient_created on deliveries (workspace_id, recipient, created_at);`,
      `alter table token_usage add column call_id uuid;
       create unique index token_usage_call_key on token_usage (workspace_id, call_id);
       create index token_usage_chat_created on token_usage (workspace_id, chat_id, created_at);
       drop index token_usage_workspace_id_chat_id_idx;`,
      tenantTable(
        'token_usage_days',
        // YYYY-MM-DD, UTC.
        `day text not null,
         total_tokens bigint not null default 0,
         credits double precision not null default 0,
         unique (workspace_id, day)`,
      ),
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `drop index deliveries_recipient_created;
       alter table deliveries drop column purpose;
       alter table members drop column sms_opted_out_at;
       drop table token_usage_days;
       create index on token_usage (workspace_id, chat_id);
       drop index token_usage_chat_created;
       alter table token_usage drop column call_id;`,
      stampTrigger(before),
      `alter table chats drop column attended_at, drop column turns_counted_from, drop column interruptions,
         drop column agent_stopped_reason, drop column agent_stopped_until;
       alter table messages drop column sms_keyword, drop column answers_until;`,
    ].join('\n'),
  );
}

/** Numbers the changes of a chat that its readers see (migration 0009): those of all columns except `untold`. */
function stampTrigger(untold: readonly string[]): string {
  const visible = (row: string) => `to_jsonb(${row}) - '{${untold.join(',')}}'::text[]`;
  return `
    drop trigger a_stamp on chats;
    create trigger a_stamp before update on chats for each row
      when (old.revision = new.revision and (${visible('old')}) is distinct from (${visible('new')}))
      execute function stamp_chat();`;
}
