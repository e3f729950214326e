import type pg from 'pg';
import { personalColumns } from '../../../db/lib/personal-data-inventory.js';
import { personTables } from '../../../db/person-data/catalogue.js';
import type { TestWorkspace } from '../workspace/factories.js';

interface Column {
  name: string;
  type: string;
  isNeeded: boolean;
  /** The values that a check allows. */
  allowed: string | null;
}

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** Values that checks and joins need, by table. */
const given: Record<string, Record<string, unknown>> = {
  'public.assignments': { status: 'completed', concluded_at: '2031-01-01T00:00:00Z' },
  'public.files': { source: 'upload', owner_member_id: 'id' },
  'public.file_shares': { file_id: 'id' },
  'public.file_passages': { language: 'simple' },
  'public.file_attachments': { chat_id: 'id' },
  'identity.sessions': { account_id: null },
  'public.folders': { access: 'private' },
  'public.sms_opt_outs': { source: 'keyword' },
  'public.idempotency_keys': { operation: 'createMessage' },
};

/**
 * Stores a row in every table that holds something about members, whose personal columns all hold the marker. All rows
 * have the same id, so that each refers to all others. Triggers and foreign keys are off meanwhile.
 */
export async function plantPerson(
  query: Query,
  { workspaceId, roles }: Pick<TestWorkspace, 'workspaceId' | 'roles'>,
  { id, marker, uuid }: { id: number; marker: string; uuid: string },
): Promise<void> {
  await query('set session_replication_role = replica');
  // Links of labels that do not exist are left out of archives.
  for (const kind of ['member', 'chat', 'file']) {
    await query(
      `insert into ${kind}_labels (id, workspace_id, name, slug, color) overriding system value
       values ($1, $2, 'Label', $3, '#808080')`,
      [id, workspaceId, `label-${id}`],
    );
  }
  for (const { name, model, about } of personTables) {
    if (name === 'public.person_erasures') continue;
    const personal = personalColumns(model);
    const values: Record<string, unknown> = {};
    for (const column of await columnsOf(query, name)) {
      const isReference = /(^|_)id$/.test(column.name) && column.type === 'bigint';
      const isAsked = new RegExp(`t\\.${column.name}\\b`).test(about);
      if (column.name === 'workspace_id') values[column.name] = workspaceId;
      else if (personal.includes(column.name)) values[column.name] = markedValue(name, column, marker, id);
      else if (isReference && (isAsked || column.isNeeded)) values[column.name] = id;
      else if (column.isNeeded) values[column.name] = column.allowed ?? sample(column, marker, uuid);
    }
    if ('id' in values === false && (await hasId(query, name))) values.id = id;
    if (name === 'public.members') values.member_role_id = roles.member.id;
    if (name === 'identity.accounts') values.uuid = uuid;
    if (name === 'identity.login_codes')
      Object.assign(values, { account_id: null, claimant_workspace_id: workspaceId });
    for (const [column, value] of Object.entries(given[name] ?? {}))
      values[column] = value === 'id' ? id : value;
    const names = Object.keys(values);
    const places = names.map((_, index) => `$${index + 1}`);
    await query(
      `insert into ${name} (${names.join(', ')}) overriding system value values (${places.join(', ')})`,
      Object.values(values),
    );
  }
  await query('set session_replication_role = origin');
}

/** The columns of any table that hold the marker. */
export async function columnsWith(query: Query, marker: string): Promise<string[]> {
  const { rows: tables } = await query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('public', 'identity') and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await query(
      `select distinct field.key from ${name} t, jsonb_each_text(to_jsonb(t)) field where field.value ilike $1`,
      [`%${marker}%`],
    );
    found.push(...rows.map(({ key }) => `${name}.${key}`));
  }
  return found.toSorted();
}

/** The personal columns that can hold a text. */
export async function personalTextColumns(query: Query): Promise<string[]> {
  const found: string[] = [];
  for (const { name, model } of personTables) {
    const names = personalColumns(model);
    for (const column of await columnsOf(query, name)) {
      if (names.includes(column.name) && /text|jsonb|tsvector/.test(column.type))
        found.push(`${name}.${column.name}`);
    }
  }
  return found.toSorted();
}

function markedValue(table: string, { name, type }: Column, marker: string, id: number): unknown {
  if (table === 'identity.account_idempotency_keys') return `{"uuid":"${uuidOf(id)}","name":"${marker}"}`;
  if (table === 'public.idempotency_keys') return `{"name":"${marker}","memberId":${id}}`;
  if (name === 'tool_calls' || name === 'suggestions') return JSON.stringify([marker]);
  if (type === 'jsonb') return JSON.stringify({ said: marker });
  if (type === 'text[]') return [marker];
  if (type === 'date') return '1931-07-23';
  if (type === 'double precision') return 27182.818284;
  return marker;
}

const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

let made = 0;
function sample({ type }: Column, marker: string, uuid: string): unknown {
  made += 1;
  if (type === 'uuid') return uuid;
  if (type === 'bytea') return Buffer.from(`${marker.length}-${made}`.padEnd(32, '0'));
  if (type === 'jsonb') return '{}';
  if (type === 'boolean') return false;
  if (type === 'text[]') return [];
  if (type.startsWith('timestamp')) return '2031-01-01T00:00:00Z';
  return type === 'text' ? `made-${made}` : made;
}

async function hasId(query: Query, table: string): Promise<boolean> {
  return (await columnsOf(query, table)).some(({ name }) => name === 'id');
}

async function columnsOf(query: Query, table: string): Promise<Column[]> {
  const { rows } = await query(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as "isNeeded",
       (select substring(pg_get_constraintdef(k.oid) from '''([^'']+)''') from pg_constraint k
        where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as allowed
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = ''`,
    [table],
  );
  return rows;
}
