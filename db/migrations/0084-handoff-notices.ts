import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

/**
 * Telling people that chats wait for a person: up to when the chats of a workspace have been looked at; and the mails and SMS,
 * which are sent at most once (docs/decisions/0131-waiting-chats-are-told-in-passes.md). A trigger notes when a snooze ended
 * before its time, as by a message of the member: the chat is news again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'handoff_tellings',
        `looked_until timestamptz not null,
         told_at timestamptz,
         events_until timestamptz not null,
         events_after bigint not null default 0,
         unique (workspace_id)`,
      ),
      tenantTable(
        'handoff_notices',
        `${uuid},
         member_id bigint not null,
         channel text not null check (channel in ('email', 'sms')),
         created_at timestamptz not null,
         claimed_at timestamptz,
         claim_token uuid,
         sent_at timestamptz,
         failure_reason text,
         ${tenantKey('member_id', 'members')}`,
      ),
      `alter table chats add column reopened_at timestamptz;
       create function note_reopening() returns trigger language plpgsql as $$
       begin
         new.reopened_at := now();
         return new;
       end $$;
       create trigger c_note_reopening before update on chats for each row
         when (old.snoozed_at is not null and new.snoozed_at is null and new.needs_response and new.claimed_until is null)
         execute function note_reopening();
       create index chats_reopened on chats (workspace_id, reopened_at) where reopened_at is not null;`,
      `create index on handoff_notices (workspace_id, member_id, claimed_at);
       create index on handoff_notices (workspace_id, created_at);
       create index chats_claims on chats (workspace_id, claimed_until) where claimed_until is not null;
       create index chats_snoozes on chats (workspace_id, snoozed_until) where snoozed_until is not null;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index chats_claims, chats_snoozes;
    drop trigger c_note_reopening on chats;
    drop function note_reopening();
    alter table chats drop column reopened_at;
    drop table handoff_notices, handoff_tellings;
  `);
}
