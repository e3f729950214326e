import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/** Transfers of calls to people (docs/decisions/0155-transfers-of-calls.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'call_transfers',
        `${uuid},
         call_id bigint not null,
         tool_call_id text not null,
         target_name text not null,
         phone_number text not null,
         ring_seconds integer not null,
         facts text not null,
         state text not null check (state in ('requested', 'dialing', 'answered', 'busy', 'no-answer', 'failed')),
         dialed_at timestamptz,
         ended_at timestamptz,
         ${timestamps},
         unique (workspace_id, call_id, tool_call_id),
         ${tenantKey('call_id', 'phone_calls', 'on delete cascade')}`,
      ),
      `create unique index call_transfers_open on call_transfers (workspace_id, call_id)
         where state in ('requested', 'dialing');`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table call_transfers');
}
