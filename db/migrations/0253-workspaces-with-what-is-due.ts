import type { Knex } from 'knex';

/** Whether an index has a row of the workspace `w`. */
const has = (rows: string) =>
  `exists (select from public.${rows.replace(' where ', ' r where r.workspace_id = w.id and ')})`;
const before = (days: string) => `< $1 - make_interval(hours => 24 * w.${days})`;

/** By the name of a list, whether a workspace `w` has anything due at the time $1: each is a step in an index. */
const lists = {
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

const cases = Object.entries(lists)
  .map(([name, condition]) => `when '${name}' then $due$${condition}$due$`)
  .join('\n        ');

/**
 * Tells in which workspaces a pass has anything to do that depends on a time, or on the settings of the workspace. It
 * sees all workspaces, and returns their ids alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function workspaces_due(lists text[], times timestamptz[]) returns table (list text, workspace_id bigint)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
      as $function$
    declare
      due text;
    begin
      for place in 1 .. cardinality(lists) loop
        due := case lists[place]
        ${cases}
        end;
        return query execute format('select %L, w.id from identity.workspaces w where %s', lists[place], due)
          using times[place];
      end loop;
    end $function$;
    revoke execute on function workspaces_due(text[], timestamptz[]) from public;
    grant execute on function workspaces_due(text[], timestamptz[]) to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function workspaces_due(text[], timestamptz[])');
}
