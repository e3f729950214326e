import type { Tx } from '../database.js';
import { boundTo, type Erased, type Person } from '../lib/person-data.js';
import { statement } from '../statement.js';
import type { NamedTable } from './catalogue.js';

export interface ErasedBatch {
  /** Rows that were changed or deleted. */
  count: number;
  /** The id to continue after; undefined when the table is done. */
  next: number | undefined;
}

/** Rows of a batch that an index leads to, and rows that are looked at where none does. */
const batchSize = 200;
const walkedSize = 2_000;

/** Whether erasing has something to do in the table, besides what other tables and the beginning do. */
export function isErasedInSteps({ erased }: NamedTable): boolean {
  return erased.by === 'delete' || erased.by === 'empty' || erased.by === 'digest';
}

/** Erases the next rows of a table that are about a person. Repeating it changes nothing. */
export async function eraseRows(
  tx: Tx,
  table: NamedTable,
  person: Person,
  after: number,
): Promise<ErasedBatch> {
  if (table.byWalking === true) return eraseByWalking(tx, table, person, after);
  const ids = await chosen(tx, table, person, 't.id > ?', [after], batchSize);
  return {
    count: await eraseChosen(tx, table, person, ids),
    next: ids.length < batchSize ? undefined : ids.at(-1),
  };
}

async function eraseByWalking(
  tx: Tx,
  table: NamedTable,
  person: Person,
  after: number,
): Promise<ErasedBatch> {
  const [seen] = await statement<{ last: number | null; count: number }>(
    tx,
    `select max(id) as last, count(*)::int as count
     from (select id from ${table.name} where id > ? order by id limit ?) as looked`,
    [after, walkedSize],
  );
  const last = seen?.last ?? after;
  const ids = await chosen(tx, table, person, 't.id > ? and t.id <= ?', [after, last], walkedSize);
  const isDone = (seen?.count ?? 0) < walkedSize;
  return { count: await eraseChosen(tx, table, person, ids), next: isDone ? undefined : last };
}

/** The ids of rows that still hold something. */
async function chosen(
  tx: Tx,
  { name, about, erased }: NamedTable,
  person: Person,
  range: string,
  rangeBindings: readonly unknown[],
  limit: number,
): Promise<number[]> {
  const condition = boundTo(person, `(${about}) and ${isLeft(erased)}`);
  // Materialized: the rows about the person are found first, and not the table's first ones looked at one by one.
  const rows = await statement<{ id: number }>(
    tx,
    `with found as materialized (select t.id from ${name} t where ${range} and ${condition.text})
     select id from found order by id limit ?`,
    [...rangeBindings, ...condition.bindings, limit],
  );
  return rows.map(({ id }) => id);
}

function isLeft(erased: Erased): string {
  if (erased.by === 'digest') return `t.${erased.column} not like 'sha256:%'`;
  if (erased.by !== 'empty') return 'true';
  const differing = Object.entries(erased.columns).map(
    ([column, value]) => `t.${column} is distinct from ${value}`,
  );
  return `(${differing.join(' or ')})`;
}

async function eraseChosen(
  tx: Tx,
  { name, erased }: NamedTable,
  person: Person,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { text, bindings } = boundTo(person, erasing(name, erased));
  await statement(tx, text, [...bindings, ids]);
  return ids.length;
}

function erasing(name: string, erased: Erased): string {
  const these = 't.id = any(?::bigint[])';
  if (erased.by === 'delete') return `delete from ${name} t where ${these}`;
  if (erased.by === 'empty') {
    const values = Object.entries(erased.columns).map(([column, value]) => `${column} = ${value}`);
    return `update ${name} t set ${values.join(', ')} where ${these}`;
  }
  if (erased.by === 'digest') {
    const digest = digestSql(`t.${erased.column}`);
    // A row with the same digest, which the unique key would refuse, says the same.
    return `with same as (
        delete from ${name} t where ${these}
          and exists (select from ${name} o where o.${erased.beside} = t.${erased.beside} and o.${erased.column} = ${digest})
        returning t.id)
      update ${name} t set ${erased.column} = ${digest} where ${these.replace('?', '$1')}
        and t.id not in (select id from same)`;
  }
  throw new Error(`${name} is not erased in steps`);
}

/** A value of a workspace as a digest. `digestOf` in db/channels/recipient-digest.ts computes the same. */
function digestSql(column: string): string {
  return `'sha256:' || encode(sha256(convert_to(t.workspace_id || ':' || ${column}, 'UTF8')), 'hex')`;
}
