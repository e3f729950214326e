import type { Knex } from 'knex';

/** A turn that waits because its workflow is held is not overdue: a colleague was alerted for that reason. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(isTurnOwedUnless(`in ('member_disabled', 'workflow_held')`));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(isTurnOwedUnless(`in ('member_disabled')`));
}

function isTurnOwedUnless(reason: string): string {
  return `
    create or replace function is_turn_owed(chat chats) returns boolean language sql immutable as $$
      select chat.version > chat.handled_version and chat.assistant_enabled and not chat.paused and not chat.archived
        and chat.agent_stopped_reason is null and (chat.needs_response_reason ${reason}) is not true
    $$;
  `;
}
