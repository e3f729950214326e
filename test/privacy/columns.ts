import type pg from 'pg';
import { markers } from './markers.js';
import { givenAway } from './search.js';

/** Why a column needs no marker: what stands in it instead, which is held against its form. */
const forms = {
  /** One of a list of ours, a provider's or a standard's. */
  code: /^[\w.:/-]{1,100}$/,
  /** Of rows, by number. */
  ids: /^\[[\d, ]*\]$/,
  codes: /^\{[\w.:,/-]*\}$/,
  /** Made by us or by the carrier. */
  id: /^[\w:@.-]{1,200}$/,
  messageIds: /^\{[\w:@.,-]*\}$/,
  digest: /^\\x[0-9a-f]{64}$/,
  random: /^\\x[0-9a-f]{32}$/,
  /** Can be read by nobody without the key. */
  encrypted: /^\\x[0-9a-f]+$/,
  number: /^-?[\d.e+-]+$/,
  color: /^#[0-9a-f]{6}$/i,
  /** Numbers, codes and times by name. */
  counts: /^\{[\w.:", -]*\}$/,
  times: /^\{[\d.:"()[\], +-]*\}$/,
  summary: /^[A-Z][A-Za-z]* on [A-Z][A-Za-z]*$/,
  /** Of ours, in the language of the workspace. */
  sentence: /^\[\{"text": "[\w ,.]+", "language": "\w\w-\w\w"\}\]$/,
  /** Nothing fills it in yet: whatever does has to plant a marker. */
  empty: /^(\[\])?$/,
} as const;

/** Columns without a marker, by table and form. */
const held: Record<string, Partial<Record<keyof typeof forms, string>>> = {
  'identity.audit_events': {
    code: 'action credential_kind subject_type',
    codes: 'names',
    id: 'address request_id',
    summary: 'user_agent',
  },
  'identity.organization_audit_events': {
    code: 'action credential_kind subject_type',
    codes: 'names',
    id: 'address request_id',
    summary: 'user_agent',
  },
  'identity.account_idempotency_keys': { code: 'operation', digest: 'digest fingerprint', codes: 'grants' },
  'identity.accounts': { code: 'locale timezone' },
  'identity.api_keys': { id: 'prefix', digest: 'hash', codes: 'scopes' },
  'identity.carrier_cursors': { code: 'account' },
  'identity.crawl_hosts': { digest: 'host_hash' },
  // The number of the service that codes come from.
  'identity.code_opt_outs': { number: 'sender' },
  'identity.login_codes': {
    code: 'channel failure_reason',
    digest: 'identifier_hash requester_hash',
    random: 'nonce',
  },
  'identity.login_limits': { digest: 'key' },
  'identity.member_tokens': { codes: 'granted role_grants', digest: 'hash' },
  // What a superuser says who joins for support, whom the story has none of.
  'identity.memberships': { empty: 'support_reason' },
  // The story has no organizations yet.
  'identity.organizations': { empty: 'name slug join_domains public_path' },
  'identity.identity_providers': { encrypted: 'client_secret', empty: 'issuer client_id email_domains' },
  'identity.external_identities': { empty: 'issuer subject' },
  'identity.organization_invitations': { code: 'role', empty: 'email' },
  'identity.organization_members': { code: 'role status joined_by', empty: 'name email' },
  'identity.organization_sessions': { digest: 'hash' },
  // The story has no OAuth applications.
  'identity.oauth_access_tokens': { digest: 'hash', empty: 'grant_id client_id scopes resource payload' },
  'identity.oauth_artifacts': { digest: 'hash uid_hash', empty: 'model grant_id payload' },
  'identity.oauth_clients': {
    digest: 'secret_hash former_secret_hash registrant_hash',
    empty: 'client_id name server_url redirect_uris scopes secret_hint',
  },
  'identity.oauth_grants': { empty: 'grant_id client_id client_name scopes resource revoked_by' },
  'identity.oauth_keys': { encrypted: 'private_key', id: 'kid' },
  'identity.oauth_subject_keys': { encrypted: 'subject_key' },
  'identity.oauth_replays': { digest: 'hash', encrypted: 'answer', empty: 'client_id grant_id' },
  'identity.phone_number_pool': { code: 'purpose source' },
  'identity.sessions': { codes: 'granted role_grants', digest: 'hash', summary: 'user_agent' },
  // The story has no crawls.
  'identity.site_crawl_schedules': { empty: 'interval skip_reason' },
  'identity.site_domains': { id: 'challenge', empty: 'failure' },
  'identity.site_visitors': { digest: 'hash' },
  'identity.walks': { code: 'name', empty: 'place' },
  'identity.workspaces': {
    code: 'default_region locale timezone recording_consent',
    codes: 'allowed_origins call_countries sms_countries request_hosts',
    empty: 'handoff_notices quiet_hours recording_notice voice_identity business_hours postal_address',
  },
  'public.audit_events': {
    code: 'action credential_kind subject_type',
    codes: 'names',
    id: 'address request_id',
    summary: 'user_agent',
  },
  'public.chat_acts': { code: 'kind reason' },
  'public.workspace_holds': { code: 'woken_list' },
  'public.assignment_tasks': { code: 'ended_by' },
  'public.assignment_timeline_entries': { code: 'kind caused_by code reason' },
  'public.assignments': { code: 'status' },
  'public.assistants': { code: 'chat_model_id realtime_model_id' },
  'public.call_bridges': { code: 'end_reason command', id: 'stream_id' },
  'public.call_transfers': { code: 'state blocked_reason', id: 'tool_call_id' },
  'public.carrier_texts': { code: 'price_unit', id: 'carrier_message_id', number: 'price' },
  'public.chat_labels': { color: 'color' },
  'public.chat_participants': {
    code: 'role chat_model_id realtime_model_id',
    empty: 'additional_instructions chat_model_config realtime_model_config',
  },
  'public.chats': {
    code: 'channel chat_model_id realtime_model_id initial_message_error needs_response_reason standing_reason agent_stopped_reason',
    id: 'dm_key sender_key',
  },
  'public.credit_budgets': { number: 'monthly_credits' },
  'public.credit_months': { code: 'month', number: 'credits' },
  'public.data_record_changes': { code: 'operation' },
  'public.data_types': { code: 'slug' },
  'public.deliveries': {
    code: 'channel state error_code failure_reason purpose begun_by',
    id: 'carrier_message_id',
  },
  'public.email_opt_outs': { code: 'source', id: 'recipient_digest' },
  'public.emails': {
    code: 'direction',
    id: 'rfc_message_id relay_message_id in_reply_to reply_token return_token unsubscribe_token',
    messageIds: 'reference_ids',
  },
  'public.erased_identifiers': { digest: 'digest' },
  'public.event_rule_notices': { code: 'reason failure_reason' },
  'public.event_rule_secrets': { encrypted: 'ciphertext' },
  'public.event_rules': { code: 'event_type action_type disabled_reason failed_on', times: 'missed_times' },
  'public.events': { code: 'event_type' },
  'public.file_labels': { color: 'color' },
  'public.file_passages': { code: 'language' },
  'public.file_shares': { digest: 'token_hash' },
  'public.file_versions': {
    code: 'mime_type kind indexing_state indexing_reason',
  },
  'public.files': { code: 'mime_type kind access source' },
  'public.folders': { code: 'access' },
  'public.handoff_notices': { code: 'channel failure_reason' },
  'public.idempotency_keys': { code: 'operation', digest: 'digest fingerprint', codes: 'grants' },
  'public.inbound_emails': { code: 'state reason', digest: 'digest' },
  'public.inboxes': {
    code: 'smtp_host smtp_security',
    digest: 'inbound_secret_hash previous_secret_hash',
    encrypted: 'inbound_secret previous_secret smtp_password',
  },
  'public.knex_migrations': { code: 'name' },
  'public.mcp_servers': { code: 'refresh_failure', encrypted: 'token' },
  // The story asks no remote server for its tools, which are what that server says.
  'public.mcp_tools': {
    code: 'problem approval digest allowed_digest',
    empty: 'name title description input_schema',
  },
  // The story has no AI clients, which alone import by runs.
  'public.label_changes': { code: 'kind' },
  'public.member_imports': {
    empty:
      'credential_kind scopes layout columns_passed_over data_type_ids blank_cells failed_rows errors created_members updated_members state failure_reason',
  },
  'public.member_labels': { code: 'slug', color: 'color' },
  'public.member_roles': { codes: 'permissions' },
  'public.member_usage_months': { code: 'month', number: 'credits' },
  'public.members': { code: 'kind locale', codes: 'vouched_for' },
  'public.messages': {
    code: 'role author truncation_reason sms_delivery_status sms_delivery_error_code sms_delivery_failure_reason sms_keyword',
    id: 'carrier_message_id sub_conversation_of tool_call_id call_item_id',
    empty: 'user_rating user_rating_comment',
    counts: 'token_usage audio_metadata',
  },
  'public.open_model_calls': {
    code: 'model_id',
    number: 'credits multiplier input_multiplier output_multiplier cached_multiplier',
  },
  'public.outbox': { code: 'run_type action last_error_code', counts: 'input' },
  'public.person_erasures': { counts: 'counts place' },
  'public.person_exports': { code: 'failure_reason' },
  'public.phone_calls': {
    code: 'status termination_reason carrier_status failure_detail blocked_reason ended_by begun_by answered_by transfer_status transfer_blocked_reason price_unit recording_consent',
    id: 'carrier_call_id',
    number: 'credits price expected_price',
    sentence: 'recording_notice',
    empty: 'identity_keys',
  },
  'public.phone_numbers': { number: 'segments_per_second' },
  'public.scheduled_messages': { code: 'state failure_reason', ids: 'file_ids' },
  'public.secrets': { codes: 'hosts', encrypted: 'ciphertext' },
  'public.site_menu_items': { code: 'item_type target', empty: 'url icon css_class' },
  // The story has no crawls.
  'public.site_crawl_urls': {
    empty: 'url url_hash path_hash kind state outcome locale etag last_modified content_hash leads_to_hash',
  },
  'public.site_crawls': { empty: 'status start_url host excluded_tags robots' },
  'public.page_passages': { code: 'language' },
  'public.site_page_documents': { code: 'locale' },
  'public.site_page_revisions': { code: 'reason' },
  'public.site_pages': {
    counts: 'source_metadata',
    empty: 'publish_failure source_html source_markdown source_url',
  },
  'public.sites': {
    code: 'theme primary_locale',
    codes: 'available_locales crawl_excluded_tags',
    counts: 'theme_settings',
    empty: 'redirect_url google_analytics_id google_adwords_id crawl_url crawl_job_id crawl_error',
  },
  // The one of the story says STOP and nothing else.
  'public.opt_out_proofs': { code: 'channel source heard_on words' },
  'public.sms_opt_outs': { code: 'source' },
  'public.stored_objects': { code: 'mime_type state mailed_by', digest: 'sha256 mailed_domain' },
  'public.token_usage': {
    code: 'model_id',
    number: 'credits speech_seconds multiplier input_multiplier output_multiplier cached_multiplier',
  },
  'public.token_usage_days': { code: 'day', number: 'credits' },
  'public.tool_approvals': { code: 'state', id: 'tool_call_id' },
  'public.tool_requests': { code: 'failure_code', id: 'tool_call_id' },
  'public.unproved_identifiers': { code: 'channel' },
  'public.unsubscribe_links': { id: 'token recipient_digest' },
  'public.usage_days': { code: 'day model_id', number: 'credits' },
  'public.webhook_attempts': { code: 'error_code' },
  'public.webhook_deliveries': { code: 'event_type trigger status failure_reason' },
  'public.webhook_endpoints': { digest: 'url_digest' },
  'public.workflow_definitions': { empty: 'voice_identity' },
  'public.workflow_task_abilities': { code: 'ability_type' },
  'public.workflow_tasks': { code: 'task_type after_call', empty: 'realtime_model_config' },
};
const formNames = Object.keys(forms) as (keyof typeof forms)[];
/** The form of each column. */
export const explained: Record<string, keyof typeof forms> = {};
for (const [table, columns] of Object.entries(held)) {
  for (const form of formNames) {
    for (const column of columns[form]?.split(' ') ?? []) explained[`${table}.${column}`] = form;
  }
}

export interface ReadColumn {
  name: string;
  values: string[];
  markers: string[];
}

/** Every column of the catalogue that could hold what people write: all but ids, counts, flags and times. */
export async function readColumns(client: pg.Client): Promise<ReadColumn[]> {
  const { rows } = await client.query(
    `select table_schema as schema, table_name as table, column_name as column
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'identity') and table_type = 'BASE TABLE'
       and data_type not in ('bigint', 'integer', 'smallint', 'boolean', 'uuid', 'timestamp with time zone')
     order by 1, 2, 3`,
  );
  const columns: ReadColumn[] = [];
  for (const { schema, table, column } of rows) {
    const found = await client.query(
      `select distinct "${column}"::text as value from "${schema}"."${table}" where "${column}" is not null`,
    );
    const values = found.rows.map(({ value }) => String(value));
    const searched = Object.fromEntries(
      Object.entries(markers).map(([name, marker]) => [name, { ...marker, allowedIn: [] }]),
    );
    columns.push({
      name: `${schema}.${table}.${column}`,
      values,
      markers: givenAway(values.join('\n'), searched, 'log'),
    });
  }
  return columns;
}

/** What is wrong with a column: nothing planted and no reason, a reason that is not true, or both. */
export function complaint({ name, values, markers: found }: ReadColumn): string | undefined {
  const reason = explained[name];
  if (reason === undefined)
    return found.length > 0 ? undefined : `${name} holds no marker, and has no reason`;
  if (found.length > 0) return `${name} holds markers (${found.join(', ')}): it needs no reason`;
  const odd = values.filter((value) => !forms[reason].test(value));
  return odd.length === 0 ? undefined : `${name} is no ${reason}: ${odd.slice(0, 3).join(' | ')}`;
}
