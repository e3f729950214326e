import type { Knex } from 'knex';

/**
 * How many bytes the files have that came by mail, and those of senders who were not known
 * (docs/decisions/0134-received-mail-is-kept-first.md). Triggers count them, because objects are also deleted by processes
 * of the release before, which does not know of it. Up to when people were told of held mail
 * (docs/decisions/0131-waiting-chats-are-told-in-passes.md). How many scheduled messages are late, for the relay's gauges.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table stored_objects add column mailed_by text;
    alter table stored_objects add constraint stored_objects_mailed_by_check
      check (mailed_by in ('member', 'stranger')) not valid;
    alter table storage_usage add column mail_bytes bigint not null default 0 check (mail_bytes >= 0),
      add column stranger_bytes bigint not null default 0 check (stranger_bytes >= 0);
    create function count_mailed_bytes() returns trigger language plpgsql as $$
    declare
      counted stored_objects := coalesce(new, old);
      added bigint := case tg_op when 'INSERT' then counted.bytes else -counted.bytes end;
    begin
      update storage_usage
      set mail_bytes = greatest(0, mail_bytes + added),
        stranger_bytes = greatest(0, stranger_bytes + case counted.mailed_by when 'stranger' then added else 0 end)
      where workspace_id = counted.workspace_id;
      return null;
    end $$;
    create trigger count_mailed after insert on stored_objects for each row
      when (new.mailed_by is not null) execute function count_mailed_bytes();
    create trigger count_mailed_deleted after delete on stored_objects for each row
      when (old.mailed_by is not null) execute function count_mailed_bytes();
    alter table handoff_tellings add column emails_told_until timestamptz;
    create index inbound_emails_held on inbound_emails (workspace_id, settled_at) where needs_response;

    create index scheduled_messages_due on scheduled_messages (send_at) where state = 'pending';
    -- Sees all workspaces, so only the relay may call it, and it returns numbers alone.
    create function due_scheduled_messages(late interval, most integer)
      returns table (oldest_seconds float8, messages integer)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
      as $$
        with late as materialized (
          select send_at from public.scheduled_messages
          where state = 'pending' and send_at < now() - $1 order by send_at limit $2
        )
        select coalesce(extract(epoch from now() - min(send_at))::float8, 0), count(*)::integer from late
      $$;
    revoke execute on function due_scheduled_messages(interval, integer) from public;
    grant execute on function due_scheduled_messages(interval, integer) to wes_relay;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function due_scheduled_messages(interval, integer);
    drop index scheduled_messages_due, inbound_emails_held;
    alter table handoff_tellings drop column emails_told_until;
    drop trigger count_mailed on stored_objects;
    drop trigger count_mailed_deleted on stored_objects;
    drop function count_mailed_bytes();
    alter table storage_usage drop column mail_bytes, drop column stranger_bytes;
    alter table stored_objects drop column mailed_by;
  `);
}
