import type { Knex } from 'knex';
import { addIndex, givingWay } from './while-in-use.js';

/** Each table by itself: none is locked while another is waited for. Each statement can be repeated. */
export const config = { transaction: false };

/**
 * The transaction that last changed what readers see of a chat (`changed_in`), its queue (`queue_changed_in`) and a call, so
 * that readers of a whole workspace find what they have not seen. The index is on the number of a group of 4,096
 * transactions: were it on the transaction itself, each message would renew all index entries of its chat.
 */
export async function up(knex: Knex): Promise<void> {
  await givingWay(
    knex,
    `alter table chats add column if not exists changed_in bigint,
       add column if not exists changed_group bigint, add column if not exists queue_changed_in bigint`,
  );
  await givingWay(knex, 'alter table phone_calls add column if not exists changed_in bigint');
  await addIndex(
    knex,
    'chats_changed',
    'chats (workspace_id, changed_group) where changed_group is not null',
  );
  await knex.raw(`
    create or replace function tell_chat() returns trigger language plpgsql as $$
    begin
      perform set_config('app.changed_chats', concat(current_setting('app.changed_chats', true), ' ', new.id), true);
      new.changed_in := pg_current_xact_id()::text::bigint;
      new.changed_group := new.changed_in >> 12;
      if (old.needs_response or new.needs_response) and
          (old.needs_response, old.needs_response_reason, old.archived, old.muted, old.claimed_by_member_id,
            old.claimed_until, old.snoozed_at, old.snoozed_until)
          is distinct from (new.needs_response, new.needs_response_reason, new.archived, new.muted,
            new.claimed_by_member_id, new.claimed_until, new.snoozed_at, new.snoozed_until) then
        new.queue_changed_in := new.changed_in;
      end if;
      return new;
    end $$;

    create or replace function name_new_chat() returns trigger language plpgsql as $$
    begin
      perform set_config('app.new_chats', concat(current_setting('app.new_chats', true), ' ', new.id), true);
      new.changed_in := pg_current_xact_id()::text::bigint;
      new.changed_group := new.changed_in >> 12;
      if new.needs_response then
        new.queue_changed_in := new.changed_in;
      end if;
      return new;
    end $$;

    create or replace function stamp_call() returns trigger language plpgsql as $$
    declare
      place text := concat('% ', new.chat_id, ' %');
      raised integer;
    begin
      if new.chat_id is null then return new; end if;
      new.changed_in := pg_current_xact_id()::text::bigint;
      if tg_op = 'INSERT' and concat(current_setting('app.new_chats', true), ' ') like place
        and not concat(current_setting('app.changed_chats', true), ' ') like place then
        return new;
      end if;
      update chats set revision = revision + 1, call_revision = revision + 1
      where workspace_id = new.workspace_id and id = new.chat_id
      returning revision into raised;
      -- Without such a chat the foreign key refuses the row.
      new.revision := coalesce(raised, 0);
      return new;
    end $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function tell_chat() returns trigger language plpgsql as $$
    begin
      perform set_config('app.changed_chats', concat(current_setting('app.changed_chats', true), ' ', new.id), true);
      return new;
    end $$;

    create or replace function name_new_chat() returns trigger language plpgsql as $$
    begin
      perform set_config('app.new_chats', concat(current_setting('app.new_chats', true), ' ', new.id), true);
      return new;
    end $$;

    create or replace function stamp_call() returns trigger language plpgsql as $$
    declare
      place text := concat('% ', new.chat_id, ' %');
      raised integer;
    begin
      if new.chat_id is null then return new; end if;
      if tg_op = 'INSERT' and concat(current_setting('app.new_chats', true), ' ') like place
        and not concat(current_setting('app.changed_chats', true), ' ') like place then
        return new;
      end if;
      update chats set revision = revision + 1, call_revision = revision + 1
      where workspace_id = new.workspace_id and id = new.chat_id
      returning revision into raised;
      -- Without such a chat the foreign key refuses the row.
      new.revision := coalesce(raised, 0);
      return new;
    end $$`);
  await givingWay(
    knex,
    `alter table chats drop column if exists changed_in, drop column if exists changed_group,
       drop column if exists queue_changed_in`,
  );
  await givingWay(knex, 'alter table phone_calls drop column if exists changed_in');
}
