import { boundTo, type Exported, namesIn, openColumns, type Person } from '../lib/personal-data-inventory.js';
import { statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { type NamedTable, personTables } from './catalogue.js';

export type ExportedTable = NamedTable & { exported: Exported };

/** The tables that an archive has files of. */
export function exportedTables(includesInternal: boolean): ExportedTable[] {
  return personTables.filter(
    (table): table is ExportedTable =>
      'file' in table.exported && (includesInternal || table.exported.internal !== true),
  );
}

const idsAtOnce = 5_000;
const rowsAtOnce = 200;
/** The rows of one read have hardly more bytes than this, unless a single one does. */
const bytesAtOnce = 4 * 1_048_576;

/** What an archive is made for: whose rows, and whether with those that members do not see. */
export interface ExportScope {
  person: Person;
  includesInternal: boolean;
}

type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** The rows of a table that are about a person, as JSON texts without line breaks, by id, a few megabytes at a time. */
export async function* exportedRows(
  read: Read,
  table: ExportedTable,
  scope: ExportScope,
): AsyncGenerator<string[]> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    const ids = await read((tx) => selectIds(tx, table, scope, from));
    for (let at = 0; at < ids.length; at += rowsAtOnce) {
      let left = ids.slice(at, at + rowsAtOnce);
      while (left.length > 0) {
        const these = left;
        const lines = await read((tx) => selectLines(tx, table, scope, these));
        if (lines.length > 0) yield lines.map(({ line }) => line);
        const last = lines.at(-1)?.id ?? Number.POSITIVE_INFINITY;
        left = left.filter((id) => id > last);
      }
    }
    after = ids.length < idsAtOnce ? undefined : ids.at(-1);
  }
}

/** A member has one row in a table without ids. */
const keyOf = (table: ExportedTable) => ('id' in table.model.holds ? 'id' : 'member_id');

async function selectIds(
  tx: Tx,
  table: ExportedTable,
  { person, includesInternal }: ExportScope,
  after: number,
): Promise<number[]> {
  const { hidden, only = 'true' } = table.exported;
  const isShown = hidden === undefined || includesInternal ? '' : `and (${hidden}) is not true`;
  const condition = boundTo(person, `(${table.about}) and ${only} ${isShown}`);
  // Materialized: the rows about the person are found first, and not the table's first ones looked at one by one.
  const rows = await statement<{ id: number }>(
    tx,
    `with found as materialized (
       select t.${keyOf(table)} as id from ${table.name} t where t.${keyOf(table)} > ? and ${condition.text})
     select id from found order by id limit ?`,
    [after, ...condition.bindings, idsAtOnce],
  );
  return rows.map(({ id }) => id);
}

async function selectLines(
  tx: Tx,
  table: ExportedTable,
  { person, includesInternal }: ExportScope,
  ids: readonly number[],
): Promise<{ id: number; line: string }[]> {
  const key = keyOf(table);
  const fields = boundTo(person, fieldsOf(table, includesInternal));
  const rowsOfPerson =
    key === 'id' ? { text: '', bindings: [] } : boundTo(person, 'and t.workspace_id = :workspace');
  return statement(
    tx,
    `select id, line from (
       select id, line, sum(octet_length(line)) over (order by id) - octet_length(line) as before
       from (select t.${key} as id, (select row_to_json(r)::text from (select ${fields.text}) r) as line
             from ${table.name} t where t.${key} = any(?::bigint[]) ${rowsOfPerson.text}) lines) sized
     where before < ? order by id`,
    [...fields.bindings, ids, ...rowsOfPerson.bindings, bytesAtOnce],
  );
}

/** All columns but secrets, under the names that the API gives to fields. */
function fieldsOf({ model, exported }: ExportedTable, includesInternal: boolean) {
  const hidden = includesInternal ? [] : namesIn(exported.hiddenColumns);
  const leftOut = ['workspace_id', ...namesIn(exported.leftOut), ...hidden];
  const columns = openColumns(model)
    .filter((name) => !leftOut.includes(name))
    .map((name) => `${exported.columns?.[name] ?? `t.${name}`} as "${fieldNamed(name)}"`);
  const also = Object.entries(exported.also ?? {}).map(([name, value]) => `${value} as "${name}"`);
  return [...columns, ...also].join(', ');
}

function fieldNamed(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The recordings of a person's calls, by id. */
export async function selectExportedRecordings(
  tx: Tx,
  person: Person,
): Promise<{ id: number; callId: number }[]> {
  const about = personTables.find(({ name }) => name === 'public.call_recordings')?.about ?? 'false';
  const condition = boundTo(person, about);
  return statement(
    tx,
    `select t.id, t.call_id as "callId" from call_recordings t where ${condition.text} order by t.id`,
    condition.bindings,
  );
}

/** The bytes of a version of a file, where versions that share an object are one, or of a received mail. */
export interface ExportedObject {
  /** Of the object. */
  id: number;
  uuid: string;
  bytes: number;
  filename: string;
  mimeType: string;
}

const objectsAtOnce = 200;

/** The objects of a person's files and mails, by id. A mail whose sender is not proved may be by anyone. */
export async function* exportedObjects(read: Read, person: Person): AsyncGenerator<ExportedObject> {
  const aboutOf = (table: string) => personTables.find(({ name }) => name === table)?.about ?? 'false';
  const versions = aboutOf('public.file_versions');
  const mails = `${aboutOf('public.inbound_emails')} and (t.proved or t.message_id is not null)`;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    const found = await read((tx) =>
      selectObjects(tx, { versions: boundTo(person, versions), mails: boundTo(person, mails) }, from),
    );
    yield* found;
    after = found.length < objectsAtOnce ? undefined : found.at(-1)?.id;
  }
}

async function selectObjects(
  tx: Tx,
  { versions, mails }: Record<'versions' | 'mails', ReturnType<typeof boundTo>>,
  after: number,
): Promise<ExportedObject[]> {
  return statement(
    tx,
    `with found as materialized (
       select t.id, t.object_id, t.filename, t.mime_type from file_versions t
       where t.object_id > ? and ${versions.text}
       union all
       select t.id, t.object_id, 'mail-' || t.id || '.eml', 'message/rfc822' from inbound_emails t
       where t.object_id > ? and ${mails.text})
     select distinct on (object.id) object.id, object.uuid, object.bytes, found.filename,
       found.mime_type as "mimeType"
     from found join stored_objects object on object.id = found.object_id
     where object.state = 'stored' order by object.id, found.id limit ?`,
    [after, ...versions.bindings, after, ...mails.bindings, objectsAtOnce],
  );
}
