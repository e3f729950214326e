import type { Knex } from 'knex';

/**
 * Notes each time that a chat which waits becomes news again: a colleague is alerted for another reason, its
 * claim is given back, its snooze ends early, or it is no longer archived or muted. Until now only a snooze
 * was looked at. Times have milliseconds, because they are places up to which events were written. Chats can
 * be read while the trigger is replaced.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function note_reopening() returns trigger language plpgsql as $$
    begin
      new.reopened_at := date_trunc('milliseconds', now());
      return new;
    end $$;
    create or replace trigger c_note_reopening before update on chats for each row
      when (old.needs_response and new.needs_response and not new.archived and not new.muted
        and (old.archived or old.muted
          or old.needs_response_reason is distinct from new.needs_response_reason
          or (old.claimed_until is not null and new.claimed_until is null and new.snoozed_at is null)
          or (old.snoozed_at is not null and new.snoozed_at is null and new.claimed_until is null)))
      execute function note_reopening();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function note_reopening() returns trigger language plpgsql as $$
    begin
      new.reopened_at := now();
      return new;
    end $$;
    create or replace trigger c_note_reopening before update on chats for each row
      when (old.snoozed_at is not null and new.snoozed_at is null and new.needs_response and new.claimed_until is null)
      execute function note_reopening();
  `);
}
