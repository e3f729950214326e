import type { Knex } from 'knex';

/** Rows of which passes look for some, by the name of their list: each has an index that begins with the workspace. */
export const lists = {
  assignments: `assignments where status = 'active'`,
  unwoken: 'held_assignments where true',
  answers: 'chats where version > handled_version and assistant_enabled and not paused and not archived',
  follow_ups: 'follow_ups where fired_at is null and cancelled_at is null',
  deliveries: `deliveries where state in ('queued', 'claimed')`,
  receipts: 'deliveries where receipt_due_at is not null',
  scheduled_messages: `scheduled_messages where state = 'pending'`,
  publications: 'site_pages where publish_at is not null',
  crawls: `site_crawls where status = 'running'`,
  calls: 'phone_calls where settled_at is null',
  webhooks: `webhook_deliveries where status = 'pending'`,
  indexings: `file_versions where indexing_state = 'pending'`,
  media: 'messages where media_awaited_since is not null',
  mails: `inbound_emails where state = 'received'`,
  erasures: 'person_erasures where finished_at is null',
  exports: 'person_exports where finished_at is null',
  member_imports: 'member_imports where finished_at is null',
  lost_calls: 'open_model_calls where true',
  out_of_credits: `chats where agent_stopped_reason = 'credit_budget'`,
  unindexed_pages:
    'site_page_documents where published_version is not null and indexed_version is distinct from published_version',
  idempotency_keys: 'idempotency_keys where true',
  ended_imports: 'member_imports where finished_at is not null',
  events: 'events where true',
  webhook_deliveries: 'webhook_deliveries where true',
  event_rule_secrets: 'event_rule_secrets where true',
  event_rule_notices: 'event_rule_notices where true',
  handoff_notices: 'handoff_notices where true',
  event_rules: 'event_rules where true',
  webhook_endpoints: 'webhook_endpoints where true',
  webhook_hosts: 'webhook_hosts where true',
};

/** The function that tells it, for these lists. */
export function workspacesWith(known: Record<string, string>): string {
  const cases = Object.entries(known)
    .map(([name, rows]) => `when '${name}' then $rows$public.${rows}$rows$`)
    .join('\n        ');
  return `
    create or replace function workspaces_with(lists text[]) returns table (list text, workspace_id bigint)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
      as $function$
    declare
      named text;
      listed text;
    begin
      foreach named in array lists loop
        listed := case named
        ${cases}
        end;
        return query execute format('with recursive found (id) as (
          (select workspace_id from %1$s order by workspace_id limit 1)
          union all
          select (select workspace_id from %1$s and workspace_id > found.id order by workspace_id limit 1)
          from found where found.id is not null
        ) select %2$L, id from found where id is not null', listed, named);
      end loop;
    end $function$;
  `;
}

/**
 * Tells in which workspaces a pass has anything to look at, by a step in an index for each of those: nothing is read for the
 * others, however many there are. It sees all workspaces, and returns their ids alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index scheduled_messages_pending on scheduled_messages (workspace_id) where state = 'pending';

    ${workspacesWith(lists)}
    revoke execute on function workspaces_with(text[]) from public;
    grant execute on function workspaces_with(text[]) to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function workspaces_with(text[]);
    drop index scheduled_messages_pending;
  `);
}
