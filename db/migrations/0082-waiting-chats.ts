import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/**
 * The queue of chats that wait for a person: since when each waits, which colleague has claimed it until when, and
 * whether it is snoozed (docs/decisions/0129-chats-that-wait-are-a-queue.md). A trigger keeps the time, so that no code
 * path can forget it: it is set when `needs_response` turns true and kept until it turns false, which ends a claim and a
 * snooze as well. By its name the trigger runs after `a_stamp`, so the time alone is no change that readers are told.
 * Times have milliseconds, as in the API, where the time and the id of a chat are the place from which a reader goes on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table chats
      add column needs_response_since timestamptz,
      add column claimed_by_member_id bigint,
      add column claimed_until timestamptz,
      add column snoozed_at timestamptz,
      add column snoozed_until timestamptz;
    alter table chats add constraint chats_claimed_by_member_key ${tenantKey('claimed_by_member_id', 'members')};

    alter table chats disable trigger user;
    update chats set needs_response_since = date_trunc('milliseconds', coalesce(last_message_received_at, updated_at))
    where needs_response;
    alter table chats enable trigger user;

    create function note_waiting() returns trigger language plpgsql as $$
    begin
      if new.needs_response then
        new.needs_response_since := date_trunc('milliseconds', now());
      else
        new.needs_response_since := null;
        new.claimed_by_member_id := null;
        new.claimed_until := null;
        new.snoozed_at := null;
        new.snoozed_until := null;
      end if;
      return new;
    end $$;
    create trigger c_note_waiting before insert or update on chats for each row
      when (new.needs_response is distinct from (new.needs_response_since is not null))
      execute function note_waiting();

    create index chats_waiting on chats (workspace_id, needs_response_since, id)
      where needs_response and not archived and not muted;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger c_note_waiting on chats;
    drop function note_waiting();
    alter table chats
      drop column needs_response_since,
      drop column claimed_by_member_id,
      drop column claimed_until,
      drop column snoozed_at,
      drop column snoozed_until;
  `);
}
