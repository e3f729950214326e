import type { Knex } from 'knex';

/**
 * Since when a chat is owed a turn of its agent (`domain/kernel/agent-due.ts`), with an index, so that operators see
 * the oldest. A trigger maintains it, so that no code path can forget it: it starts when the turn is owed, and again
 * when a part was answered. A turn is not counted while the member is disabled, because a colleague was alerted for
 * that reason. By its name the trigger runs after `a_stamp`, so changes of the column are not published to readers of
 * a chat.
 *
 * The relay's role reads no chats. A function returns to it the turns that are owed for longer than `late`, among the
 * oldest `most`: how many, in how many workspaces, and the `named` workspaces that have waited longest.
 *
 * Also indexes for the safety nets of the reconciler: chats of colleagues, without an agent, do not slow down the
 * search for those that owe a turn; webhooks that are due at the same time have an order; and later deliveries of a
 * chat are found whatever their state.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table chats add column turn_owed_since timestamptz;

    create function is_turn_owed(chat chats) returns boolean language sql immutable as $$
      select chat.version > chat.handled_version and chat.assistant_enabled and not chat.paused and not chat.archived
        and chat.agent_stopped_reason is null and chat.needs_response_reason is distinct from 'member_disabled'
    $$;

    alter table chats disable trigger user;
    update chats set turn_owed_since = coalesce(last_message_received_at, updated_at) where is_turn_owed(chats);
    alter table chats enable trigger user;

    create function note_turn_owed() returns trigger language plpgsql as $$
    begin
      new.turn_owed_since := case when is_turn_owed(new) then now() end;
      return new;
    end $$;
    create trigger c_note_turn_owed before update on chats for each row
      when (
        is_turn_owed(new) is distinct from (new.turn_owed_since is not null)
        or (new.turn_owed_since is not null and new.handled_version > old.handled_version)
      ) execute function note_turn_owed();

    drop index chats_workspace_id_id_idx1;
    create index chats_unanswered on chats (workspace_id, id)
      where version > handled_version and assistant_enabled and not paused and not archived;
    drop index deliveries_workspace_id_chat_id_id_idx;
    create index deliveries_of_chat on deliveries (workspace_id, chat_id, id);
    drop index webhook_deliveries_workspace_id_next_attempt_at_idx;
    create index webhook_deliveries_due on webhook_deliveries (workspace_id, next_attempt_at, id) where status = 'pending';

    create index chats_turn_owed on chats (turn_owed_since) where turn_owed_since is not null;

    create function overdue_turns(late interval, most integer, named integer)
      returns table (oldest_seconds float8, turns integer, workspaces integer, longest jsonb)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
      as $$
        with overdue as materialized (
          select workspace_id, turn_owed_since from public.chats
          where turn_owed_since < now() - $1 order by turn_owed_since limit $2
        ),
        by_workspace as (
          select workspace_id, count(*)::integer as turns,
            floor(extract(epoch from now() - min(turn_owed_since)))::integer as seconds
          from overdue group by workspace_id
        ),
        longest as (select * from by_workspace order by seconds desc, workspace_id limit $3)
        select
          coalesce((
            select extract(epoch from now() - turn_owed_since)::float8 from public.chats
            where turn_owed_since is not null order by turn_owed_since limit 1
          ), 0),
          (select count(*)::integer from overdue),
          (select count(*)::integer from by_workspace),
          (select coalesce(jsonb_agg(jsonb_build_object(
             'workspaceId', workspace_id, 'turns', turns, 'oldestSeconds', seconds)
             order by seconds desc, workspace_id), '[]') from longest)
      $$;
    revoke execute on function overdue_turns(interval, integer, integer) from public;
    grant execute on function overdue_turns(interval, integer, integer) to wes_relay;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function overdue_turns(interval, integer, integer);
    drop index chats_turn_owed, chats_unanswered, deliveries_of_chat, webhook_deliveries_due;
    create index deliveries_workspace_id_chat_id_id_idx on deliveries (workspace_id, chat_id, id)
      where state in ('queued', 'claimed', 'sent');
    create index chats_workspace_id_id_idx1 on chats (workspace_id, id) where version > handled_version;
    create index webhook_deliveries_workspace_id_next_attempt_at_idx
      on webhook_deliveries (workspace_id, next_attempt_at) where status = 'pending';
    drop trigger c_note_turn_owed on chats;
    drop function note_turn_owed();
    drop function is_turn_owed(chats);
    alter table chats drop column turn_owed_since;
  `);
}
