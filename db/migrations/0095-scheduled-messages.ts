import type { Knex } from 'knex';
import { tenantKey, tenantTable, timestamps, uuid } from './tenant-table.js';

/**
 * Messages of colleagues that are sent later, until then and with what became of them
 * (docs/decisions/0136-messages-that-are-sent-later.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'scheduled_messages',
        `${uuid},
         chat_id bigint not null,
         author_member_id bigint not null,
         api_key_id bigint,
         message text not null,
         file_ids jsonb not null default '[]',
         send_at timestamptz not null,
         seen_message_id bigint not null default 0,
         seen_waiting_since timestamptz,
         state text not null default 'pending' check (state in ('pending', 'sent', 'cancelled', 'failed')),
         failure_reason text,
         settled_at timestamptz,
         cancelled_by_member_id bigint,
         message_uuid uuid,
         ${timestamps},
         ${tenantKey('chat_id', 'chats')},
         ${tenantKey('author_member_id', 'members')},
         ${tenantKey('cancelled_by_member_id', 'members')}`,
      ),
      `create index scheduled_messages_of_chat on scheduled_messages (workspace_id, chat_id, send_at, id);
       create index scheduled_messages_by_state on scheduled_messages (workspace_id, state, send_at, id);`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table scheduled_messages');
}
