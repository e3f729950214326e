import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

const counters = `
  calls integer not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  cached_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  total_tokens bigint not null default 0,
  credits double precision not null default 0`;

/**
 * The monthly credit budget of a workspace, and sums of what model calls have used, maintained with each call
 * (docs/decisions/0127-credit-budgets.md). Days and months are those of the workspace's time zone at the time of the
 * call. Later migrations add the columns of calls, and sum the earlier ones: in one transaction, all three would keep the
 * previous release from booking calls for as long as the sums take.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      // Calls that have begun and are not booked yet, with what they use at least.
      tenantTable(
        'open_model_calls',
        `call_id uuid not null,
         chat_id bigint not null,
         member_id bigint not null,
         definition_id bigint,
         turn_uuid uuid,
         model_id text not null,
         prompt_tokens integer not null,
         credits double precision not null default 0,
         multiplier double precision not null default 1,
         input_multiplier double precision not null default 1,
         output_multiplier double precision not null default 1,
         cached_multiplier double precision not null default 1,
         begun_at timestamptz not null,
         unique (workspace_id, call_id),
         ${tenantKey('chat_id', 'chats', 'on delete cascade')}`,
      ),
      `create index on open_model_calls (workspace_id, chat_id);
       create index on open_model_calls (workspace_id, begun_at);`,
      tenantTable(
        'usage_days',
        // YYYY-MM-DD.
        `day text not null,
         definition_id bigint,
         model_id text not null,
         ${counters},
         unique nulls not distinct (workspace_id, day, definition_id, model_id)`,
      ),
      tenantTable(
        'member_usage_months',
        // YYYY-MM.
        `month text not null,
         member_id bigint not null,
         ${counters},
         unique (workspace_id, month, member_id),
         ${tenantKey('member_id', 'members')}`,
      ),
      `create index on member_usage_months (workspace_id, member_id);`,
      tenantTable(
        'credit_months',
        // When admins were told that most, and that all of the budget is used up.
        `month text not null,
         credits double precision not null default 0,
         warned_at timestamptz,
         used_up_at timestamptz,
         unique (workspace_id, month)`,
      ),
      tenantTable(
        'credit_budgets',
        `monthly_credits double precision check (monthly_credits > 0),
         extra_usage_enabled boolean not null default false,
         updated_by_member_id bigint,
         updated_at timestamptz not null,
         unique (workspace_id),
         ${tenantKey('updated_by_member_id', 'members')}`,
      ),
      `create index on credit_budgets (workspace_id, updated_by_member_id);
       create index chats_out_of_credits on chats (workspace_id, id) where agent_stopped_reason = 'credit_budget';
       alter table event_rule_notices
         alter column event_rule_id drop not null,
         add column credit_month_id bigint,
         drop constraint event_rule_notices_reason_check,
         add constraint event_rule_notices_reason_check
           check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up')),
         add constraint event_rule_notices_subject_check
           check (event_rule_id is null or credit_month_id is null),
         add ${tenantKey('credit_month_id', 'credit_months')};
       create index on event_rule_notices (workspace_id, credit_month_id) where credit_month_id is not null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from event_rule_notices where event_rule_id is null;
    alter table event_rule_notices
      drop column credit_month_id,
      drop constraint event_rule_notices_reason_check,
      add constraint event_rule_notices_reason_check check (reason in ('gone', 'failing')),
      alter column event_rule_id set not null;
    drop index chats_out_of_credits;
    drop table credit_budgets, credit_months, member_usage_months, usage_days, open_model_calls;
  `);
}
