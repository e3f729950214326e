import { boundTo, type Person } from '../lib/personal-data-inventory.js';
import { statement } from '../statement.js';
import type { Tx } from '../tx.js';
import type { NamedTable } from './catalogue.js';

export interface ErasedBatch {
  /** Rows that were changed or deleted. */
  count: number;
  /** The id to continue after; undefined when the table is done. */
  next: number | undefined;
}

/** Rows of a batch that an index leads to; rows that are looked at where none does, and the bytes in them. */
const batchSize = 200;
const walkedSize = 2_000;
const walkedBytes = 8 * 1_048_576;

/** The least share of a batch: a row, or very few that are looked at. */
export const minShare = 1 / 256;

/** Whether erasing has something to do in the table, besides what other tables and the beginning do. */
export function isErasedInSteps({ erased }: NamedTable): boolean {
  return erased.by === 'delete' || erased.by === 'empty' || erased.by === 'digest';
}

/**
 * Erases the next rows of a table that are about a person. Repeating it changes nothing.
 * @param share of a full batch, for a table whose rows take long
 */
export async function eraseRows(
  tx: Tx,
  table: NamedTable,
  person: Person,
  after: number,
  share = 1,
): Promise<ErasedBatch> {
  if (table.walked !== undefined) return eraseByWalking(tx, table, person, after, share);
  const limit = atLeastOne(batchSize * share);
  const ids = await chosen(tx, table, person, 't.id > ?', [after], limit);
  return {
    count: await eraseChosen(tx, table, person, ids),
    next: ids.length < limit ? undefined : ids.at(-1),
  };
}

async function eraseByWalking(
  tx: Tx,
  table: NamedTable,
  person: Person,
  after: number,
  share: number,
): Promise<ErasedBatch> {
  // Without the account that the condition compares with, there is nothing to find.
  if (person.accountId === null && table.about.includes(':account')) return { count: 0, next: undefined };
  const last = await lastOfWalk(tx, table, after, share);
  if (last === undefined) return { count: 0, next: undefined };
  const ids = await chosen(tx, table, person, 't.id > ? and t.id <= ?', [after, last], walkedSize);
  return { count: await eraseChosen(tx, table, person, ids), next: last };
}

/** The last of the rows that a batch looks at: at least one, and then as many as hold the bytes of a batch. */
async function lastOfWalk(
  tx: Tx,
  { name, walked }: NamedTable,
  after: number,
  share: number,
): Promise<number | undefined> {
  const [seen] = await statement<{ last: number | null }>(
    tx,
    `select max(id) as last from (
       select id, sum(octet_length(${walked?.bytesOf})) over (order by id) - octet_length(${walked?.bytesOf}) as before
       from (select id, ${walked?.bytesOf} from ${name} where id > ? order by id limit ?) as next
     ) as looked where coalesce(before, 0) < ?`,
    [after, atLeastOne(walkedSize * share), walkedBytes * share],
  );
  return seen?.last ?? undefined;
}

function atLeastOne(size: number): number {
  return Math.max(1, Math.floor(size));
}

/** The ids of rows that still hold something. */
async function chosen(
  tx: Tx,
  table: NamedTable,
  person: Person,
  range: string,
  rangeBindings: readonly unknown[],
  limit: number,
): Promise<number[]> {
  const { name } = table;
  const condition = boundTo(person, table.about);
  const left = boundTo(person, isLeft(table));
  // Materialized: the rows about the person are found first, and not the table's first ones looked at one by one. What they
  // hold is read afterwards, and for one batch only.
  const rows = await statement<{ id: number }>(
    tx,
    `with found as materialized (select t.id from ${name} t where ${range} and (${condition.text}))
     select f.id from (select id from found order by id) as f
     cross join lateral (select from ${name} t where t.id = f.id and ${left.text} offset 0) as something
     order by f.id limit ?`,
    [...rangeBindings, ...condition.bindings, ...left.bindings, limit],
  );
  return rows.map(({ id }) => id);
}

function isLeft({ erased, emptied }: NamedTable): string {
  if (erased.by === 'digest') return `t.${erased.column} not like 'sha256:%'`;
  if (erased.by !== 'empty') return 'true';
  const differing = Object.entries(emptied).map(([column, value]) => `t.${column} is distinct from ${value}`);
  return `(${differing.join(' or ')})`;
}

async function eraseChosen(
  tx: Tx,
  table: NamedTable,
  person: Person,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { text, bindings } = boundTo(person, erasing(table));
  await statement(tx, text, [...bindings, ids]);
  return ids.length;
}

function erasing({ name, erased, emptied }: NamedTable): string {
  const these = 't.id = any(?::bigint[])';
  if (erased.by === 'delete') return `delete from ${name} t where ${these}`;
  if (erased.by === 'empty') {
    const values = Object.entries(emptied).map(([column, value]) => `${column} = ${value}`);
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
