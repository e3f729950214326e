import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

/** Tool calls of agents that wait for a colleague's decision (docs/decisions/0141-tool-calls-that-need-approval.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'tool_approvals',
        `${uuid},
         chat_id bigint not null,
         message_id bigint not null,
         tool_call_id text not null,
         state text not null check (state in ('waiting', 'approved', 'run', 'rejected', 'expired', 'withdrawn')),
         requested_at timestamptz not null,
         expires_at timestamptz not null,
         decided_at timestamptz,
         decided_by_member_id bigint,
         comment text,
         unique (workspace_id, chat_id, tool_call_id),
         ${tenantKey('chat_id', 'chats', 'on delete cascade')},
         ${tenantKey('decided_by_member_id', 'members')}`,
      ),
      `create unique index tool_approvals_open on tool_approvals (workspace_id, chat_id)
         where state in ('waiting', 'approved');
       create index on tool_approvals (workspace_id, decided_by_member_id);
       alter table chats add column approval_id bigint;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table chats drop column approval_id; drop table tool_approvals');
}
