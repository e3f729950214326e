import type pg from 'pg';
import { namesIn } from '../../db/lib/personal-data-inventory.js';
import type { Holds } from '../../db/lib/table.js';
import { heldByColumn, textlessTypes } from '../support/person-data/declared-tables.js';
import { markers } from './markers.js';
import { givenAway } from './search.js';

type Form = Holds | 'browser' | 'sentence' | 'nothing';

/** What values look like in which people have written nothing. Other columns need a marker. */
const forms: Partial<Record<Form, RegExp>> = {
  code: /^(#[0-9a-f]{6}|[\w.:/-]{1,100})$/i,
  codes: /^\{[\w.:,/-]*\}$/,
  id: /^[\w:@.-]{1,200}$/,
  ids: /^(\[[\d, ]*\]|\{[\w:@.,-]*\})$/,
  digest: /^(\\x|sha256:)?[0-9a-f]{64}$/,
  token: /^(\\x[0-9a-f]{32}|[\w:@.-]{1,200})$/,
  encrypted: /^\\x[0-9a-f]+$/,
  number: /^-?[\d.e+-]+$/,
  counts: /^\{([\w.:", -]*|[\d.:"()[\], +-]*)\}$/,
  browser: /^[A-Z][A-Za-z]* on [A-Z][A-Za-z]*$/,
  /** Of ours, in the language of the workspace. */
  sentence: /^\[\{"text": "[\w ,.]+", "language": "\w\w-\w\w"\}\]$/,
  /** Whatever fills it in has to plant a marker. */
  nothing: /^(\[\])?$/,
};

/** Columns for words in which the story plants no marker, by table and by what it puts there instead. */
const unmarkedByTable: Record<string, Partial<Record<Form, string>>> = {
  // Where its requests come from.
  'public.audit_events': { id: 'address request_id', browser: 'user_agent' },
  'identity.audit_events': { id: 'address request_id', browser: 'user_agent' },
  'identity.organization_audit_events': { id: 'address request_id', browser: 'user_agent' },
  'identity.sessions': { browser: 'user_agent' },
  // The number of the service that codes come from.
  'identity.code_opt_outs': { number: 'sender' },
  // Its member says STOP and nothing else.
  'public.opt_out_proofs': { code: 'words' },
  'public.phone_calls': { sentence: 'recording_notice' },
  // It plants the names of labels and sites, and sets colors.
  'public.member_labels': { code: 'slug' },
  'public.sites': {
    counts: 'theme_settings',
    nothing: 'redirect_url google_analytics_id google_adwords_id crawl_url',
  },
  'public.site_menu_items': { nothing: 'url icon css_class' },
  // It has no crawls.
  'public.site_pages': { counts: 'source_metadata', nothing: 'source_html source_markdown source_url' },
  'public.site_crawls': { nothing: 'start_url robots' },
  'public.site_crawl_urls': { nothing: 'url etag last_modified' },
  // It has no superuser who joins for support, no organizations and no OAuth applications.
  'identity.memberships': { nothing: 'support_reason' },
  'identity.organizations': { nothing: 'name slug join_domains' },
  'identity.identity_providers': { nothing: 'issuer client_id email_domains' },
  'identity.external_identities': { nothing: 'subject' },
  'identity.organization_invitations': { nothing: 'email' },
  'identity.organization_members': { nothing: 'name email' },
  'identity.oauth_clients': { nothing: 'name server_url redirect_uris' },
  'identity.oauth_grants': { nothing: 'client_name' },
  // It asks no remote server for its tools, and no AI client imports members.
  'public.mcp_tools': { nothing: 'name title description input_schema' },
  'public.member_imports': { nothing: 'layout columns_passed_over errors' },
  // It leaves these settings as they are, and rates no messages.
  'identity.workspaces': { nothing: 'recording_notice voice_identity business_hours postal_address' },
  'public.chat_participants': {
    nothing: 'additional_instructions chat_model_config realtime_model_config',
  },
  'public.workflow_definitions': { nothing: 'voice_identity' },
  'public.workflow_tasks': { nothing: 'realtime_model_config' },
  'public.messages': { nothing: 'user_rating_comment' },
};

/** The form of each of them. */
export const unmarked: ReadonlyMap<string, Form> = new Map(
  Object.entries(unmarkedByTable).flatMap(([table, columns]) =>
    (Object.keys(columns) as Form[]).flatMap((form) =>
      namesIn(columns[form]).map((name) => [`${table}.${name}`, form] as const),
    ),
  ),
);

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
       and data_type::text <> all($1)
     order by 1, 2, 3`,
    [textlessTypes],
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
  const form = unmarked.get(name) ?? heldByColumn.get(name);
  const pattern = form === undefined ? undefined : forms[form];
  if (pattern === undefined)
    return found.length > 0 ? undefined : `${name} holds no marker, and has no reason`;
  if (found.length > 0) return `${name} holds markers (${found.join(', ')}): it needs no reason`;
  const odd = values.filter((value) => !pattern.test(value));
  return odd.length === 0 ? undefined : `${name} is no ${form}: ${odd.slice(0, 3).join(' | ')}`;
}
