import type pg from 'pg';
import { markers } from './markers.js';
import { givenAway } from './search.js';

/** Why a column needs no marker: what stands in it instead, which is held against its form. */
const forms = {
  /** One of a list of ours, a provider's or a standard's. */
  code: /^[\w.:/-]{1,100}$/,
  codes: /^\{[\w.:,/-]*\}$/,
  /** Made by us or by the carrier. */
  id: /^[\w:-]{1,100}$/,
  digest: /^\\x[0-9a-f]{64}$/,
  random: /^\\x[0-9a-f]{32}$/,
  /** Can be read by nobody without the key. */
  encrypted: /^\\x[0-9a-f]+$/,
  number: /^-?[\d.e+-]+$/,
  color: /^#[0-9a-f]{6}$/i,
  /** Numbers, codes and times by name. */
  counts: /^\{[\w.:", -]*\}$/,
  /** Intervals of time. */
  times: /^\{[\d.:"()[\], +-]*\}$/,
  /** Made of a name in another column. */
  summary: /^[A-Z][A-Za-z]* on [A-Z][A-Za-z]*$/,
  /** Nothing fills it in yet: whatever does has to plant a marker. */
  empty: /^(\[\])?$/,
} as const;

const code = ['code'] as const;
const codeColumns = [
  ['identity.account_idempotency_keys', 'operation'],
  ['identity.accounts', 'locale', 'timezone'],
  ['identity.login_codes', 'channel', 'failure_reason'],
  ['identity.carrier_cursors', 'account'],
  ['identity.phone_number_pool', 'purpose', 'source'],
  ['identity.walks', 'name'],
  ['identity.workspaces', 'default_region', 'locale', 'timezone'],
  ['public.assignment_task_visits', 'entered_by'],
  ['public.assignments', 'status'],
  ['public.assistants', 'chat_model_id', 'realtime_model_id'],
  ['public.chat_participants', 'role'],
  [
    'public.chats',
    'channel',
    'chat_model_id',
    'realtime_model_id',
    'initial_message_error',
    'needs_response_reason',
    'agent_stopped_reason',
  ],
  ['public.data_record_changes', 'operation'],
  ['public.data_types', 'slug'],
  ['public.event_rule_notices', 'reason', 'failure_reason'],
  ['public.event_rules', 'event_type', 'action_type', 'disabled_reason'],
  ['public.deliveries', 'channel', 'state', 'error_code', 'failure_reason', 'purpose'],
  ['public.idempotency_keys', 'operation'],
  ['public.knex_migrations', 'name'],
  ['public.member_labels', 'slug'],
  ['public.members', 'kind', 'locale'],
  [
    'public.messages',
    'role',
    'sms_delivery_status',
    'sms_delivery_error_code',
    'sms_delivery_failure_reason',
    'sms_keyword',
  ],
  ['public.outbox', 'run_type', 'action', 'last_error_code'],
  ['public.sms_opt_outs', 'source'],
  ['public.token_usage', 'model_id'],
  ['public.unproved_identifiers', 'channel'],
  ['public.webhook_attempts', 'error_code'],
  ['public.webhook_deliveries', 'event_type', 'trigger', 'status', 'failure_reason'],
  ['public.workflow_task_abilities', 'ability_type'],
  ['public.workflow_tasks', 'task_type'],
] as const;

/** Columns without a marker, and what they hold. */
export const explained: Record<string, keyof typeof forms> = {
  ...Object.fromEntries(
    codeColumns.flatMap(([table, ...columns]) => columns.map((column) => [`${table}.${column}`, code[0]])),
  ),
  'identity.account_idempotency_keys.digest': 'digest',
  'identity.account_idempotency_keys.fingerprint': 'digest',
  'identity.accounts.avatar_url': 'empty',
  'identity.accounts.payment_customer_id': 'empty',
  'identity.api_keys.prefix': 'id',
  'identity.api_keys.hash': 'digest',
  'identity.account_idempotency_keys.grants': 'codes',
  'identity.api_keys.scopes': 'codes',
  // The number of the service that codes come from.
  'identity.code_opt_outs.sender': 'number',
  'identity.login_codes.identifier_hash': 'digest',
  'identity.login_codes.nonce': 'random',
  'identity.login_codes.requester_hash': 'digest',
  // What a superuser says who joins for support, whom the story has none of.
  'identity.memberships.support_reason': 'empty',
  'identity.login_limits.key': 'digest',
  'identity.member_tokens.granted': 'codes',
  'identity.member_tokens.hash': 'digest',
  'identity.member_tokens.role_grants': 'codes',
  'identity.sessions.granted': 'codes',
  'identity.sessions.hash': 'digest',
  'identity.sessions.role_grants': 'codes',
  'identity.sessions.user_agent': 'summary',
  'identity.workspaces.allowed_origins': 'codes',
  'public.chat_labels.color': 'color',
  'public.chat_participants.additional_instructions': 'empty',
  'public.chats.summary': 'empty',
  'public.chats.dm_key': 'id',
  'public.deliveries.carrier_message_id': 'id',
  'public.event_rule_secrets.ciphertext': 'encrypted',
  'public.event_rules.failed_on': 'code',
  'public.event_rules.missed_times': 'times',
  'public.events.event_type': 'code',
  'public.idempotency_keys.digest': 'digest',
  'public.idempotency_keys.fingerprint': 'digest',
  'public.member_labels.color': 'color',
  'public.idempotency_keys.grants': 'codes',
  'public.member_roles.permissions': 'codes',
  'public.messages.carrier_message_id': 'id',
  'public.messages.original_content': 'empty',
  'public.messages.sub_conversation_of': 'id',
  'public.messages.suggestions': 'empty',
  'public.messages.token_usage': 'counts',
  'public.messages.tool_call_id': 'id',
  'identity.walks.place': 'empty',
  'public.messages.truncation_reason': 'empty',
  'public.messages.user_rating': 'empty',
  'public.messages.user_rating_comment': 'empty',
  'public.outbox.input': 'counts',
  'public.token_usage.credits': 'number',
  'public.token_usage_days.day': 'code',
  'public.token_usage_days.credits': 'number',
  'public.token_usage.multiplier': 'number',
  'public.token_usage.input_multiplier': 'number',
  'public.token_usage.output_multiplier': 'number',
  'public.token_usage.cached_multiplier': 'number',
  'public.webhook_endpoints.url_digest': 'digest',
};

/** What a column holds, as text. */
export interface ReadColumn {
  name: string;
  values: string[];
  /** Names of the markers in it. */
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
