import type { Knex } from 'knex';
import { addIndex, givingWay } from './while-in-use.js';

export const config = { transaction: false };

const indexes = {
  // What members wrote, and what agents and colleagues answered in writing: how long members wait is read from it alone.
  messages_answers: `messages (workspace_id, created_at) include (chat_id, id, role, author)
    where sub_conversation_of is null and call_id is null and sms_keyword is null
      and (role = 'user' or role = 'assistant' and author in ('agent', 'person') and content is not null)`,
  messages_failed_by_time: `messages (workspace_id, created_at) include (sms_delivery_failure_reason)
    where sms_delivery_status = 'failed'`,
  messages_failed_by_reason: `messages (workspace_id, sms_delivery_failure_reason, id)
    where sms_delivery_status = 'failed'`,
  assignments_by_creation: 'assignments (workspace_id, created_at)',
};

/** Finds what figures of some days count. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) await addIndex(knex, name, definition);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await givingWay(knex, `drop index if exists ${name}`);
}
