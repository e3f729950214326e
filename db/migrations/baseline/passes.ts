import { executableBy } from '../tenant-table.js';

/**
 * Rows of which passes look for some, by the name of their list: each has an index that begins with the workspace.
 */
const lists = {
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
  label_changes: 'label_changes where true',
  workspace_holds: 'workspace_holds where woken_at is null',
};

/** Whether an index has a row of the workspace `w`. */
export const has = (rows: string) =>
  `exists (select from public.${rows.replace(' where ', ' r where r.workspace_id = w.id and ')})`;
const before = (days: string) => `< $1 - make_interval(hours => 24 * w.${days})`;

/** By the name of a list, whether a workspace `w` has anything due at the time $1: each is a step in an index. */
export const dueLists = {
  old_audit_events: has(`audit_events where r.created_at ${before('audit_retention_days')}`),
  old_emails: has(`inbound_emails where r.received_at < $1 and r.state <> 'received'`),
  old_unsubscribe_links: has('unsubscribe_links where r.created_at < $1'),
  old_recordings: has(`call_recordings where r.begins_at ${before('recording_retention_days')}`),
  old_chats: has(`chats where r.forgotten_at is null and r.updated_at ${before('chat_retention_days')}`),
  old_files: has(`files where r.access = 'private' and r.updated_at ${before('file_retention_days')}`),
  doomed_objects: has(`stored_objects where r.state <> 'stored' and r.state = 'doomed'`),
  abandoned_objects: has(
    `stored_objects where r.state <> 'stored' and r.state = 'pending' and r.state_since < $1`,
  ),
  expired_objects: has(
    `stored_objects where r.expires_at is not null and r.state = 'stored' and r.expires_at <= $1`,
  ),
  // What is news for nobody, such as a chat that is muted, is found as well: the pass notes that it has looked at it.
  waiting_chats: `w.handoff_notices is not null and coalesce((
    select ${[
      'chats where r.needs_response and r.needs_response_since > least(t.looked_until, t.events_until)',
      'chats where r.claimed_until > t.looked_until and r.claimed_until <= $1',
      'chats where r.snoozed_until > t.looked_until and r.snoozed_until <= $1',
      'chats where r.reopened_at > least(t.looked_until, t.events_until)',
      'inbound_emails where r.needs_response and r.settled_at > coalesce(t.emails_told_until, t.looked_until)',
    ]
      .map(has)
      .join(' or ')}
    from public.handoff_tellings t where t.workspace_id = w.id), true)`,
};

/** The branches of a `case` by the name of a list. */
const branches = (values: Record<string, string>, tag: string, before = '') =>
  Object.entries(values)
    .map(([name, value]) => `when '${name}' then ${tag}${before}${value}${tag}`)
    .join('\n        ');

/** The function of the lists that are due, `or replace` if there is one. */
export const workspacesDue = (lists: Record<string, string>, or = '') => `
  create${or} function workspaces_due(lists text[], times timestamptz[]) returns table (list text, workspace_id bigint)
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    as $function$
    declare
      due text;
    begin
      for place in 1 .. cardinality(lists) loop
        due := case lists[place]
        ${branches(lists, '$due$')}
        end;
        return query execute format('select %L, w.id from identity.workspaces w where %s', lists[place], due)
          using times[place];
      end loop;
    end $function$;`;

/**
 * Functions that tell in which workspaces a pass has anything to look at. They see all workspaces, and return their
 * ids alone: those that have rows of a list, by a step in an index for each, so that nothing is read for the others,
 * however many there are; and those in which something is due that depends on a time, or on the settings of the
 * workspace.
 */
export const passes = `
  create function workspaces_with(lists text[]) returns table (list text, workspace_id bigint)
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
    as $function$
    declare
      named text;
      listed text;
    begin
      foreach named in array lists loop
        listed := case named
        ${branches(lists, '$rows$', 'public.')}
        end;
        return query execute format('with recursive found (id) as (
          (select workspace_id from %1$s order by workspace_id limit 1)
          union all
          select (select workspace_id from %1$s and workspace_id > found.id order by workspace_id limit 1)
          from found where found.id is not null
        ) select %2$L, id from found where id is not null', listed, named);
      end loop;
    end $function$;
  ${executableBy('wes_app', 'workspaces_with(text[])')}
  ${workspacesDue(dueLists)}
  ${executableBy('wes_app', 'workspaces_due(text[], timestamptz[])')}
`;
