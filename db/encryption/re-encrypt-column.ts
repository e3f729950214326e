import type pg from 'pg';
import type { EncryptedColumn } from './encrypted-columns.js';

/** What became of the values of a column. */
export interface ReEncrypted {
  changed: number;
  /** Encrypted with the current key already, or changed by the service meanwhile. */
  left: number;
  /** With a key that is not given, or altered. They stay as they are. */
  undecipherable: number;
}

/** Encrypts a ciphertext with the current key. */
export type Renew = (bytes: Buffer, context: string) => Buffer | 'current' | 'undecipherable';

const batchSize = 200;

interface Value {
  id: number;
  bytes: Buffer;
  context: string;
}

/**
 * Encrypts the values of a column that an earlier key encrypted with the current one, in batches by id, each a statement of
 * its own. A value that the service changes meanwhile stays as the service has it, so it may run, and what is cut
 * off goes on where it is repeated.
 * @param client of the role that owns the tables
 */
export async function reEncryptColumn(
  client: pg.Client,
  renew: Renew,
  column: EncryptedColumn,
): Promise<ReEncrypted> {
  const found: ReEncrypted = { changed: 0, left: 0, undecipherable: 0 };
  let values: Value[];
  let after = 0;
  do {
    values = await valuesAfter(client, column, after);
    after = values.at(-1)?.id ?? after;
    const renewed = renewAll(renew, values, found);
    const changed = await replace(client, column, renewed);
    found.changed += changed;
    found.left += renewed.length - changed;
  } while (values.length === batchSize);
  return found;
}

async function valuesAfter(
  client: pg.Client,
  { table, column, key, context }: EncryptedColumn,
  after: number,
): Promise<Value[]> {
  const { rows } = await client.query<{ id: string; bytes: Buffer; context: string }>(
    `select t.${key} as id, t.${column} as bytes, ${context} as context from ${table} t
     where t.${key} > $1 and t.${column} is not null order by t.${key} limit ${batchSize}`,
    [after],
  );
  return rows.map(({ id, ...value }) => ({ ...value, id: Number(id) }));
}

type Renewed = Value & { renewed: Buffer };

function renewAll(renew: Renew, values: readonly Value[], found: ReEncrypted): Renewed[] {
  const all: Renewed[] = [];
  for (const value of values) {
    const renewed = renew(value.bytes, value.context);
    if (renewed === 'current') found.left += 1;
    else if (renewed === 'undecipherable') found.undecipherable += 1;
    else all.push({ ...value, renewed });
  }
  return all;
}

/** @returns how many had not changed since they were read */
async function replace(
  client: pg.Client,
  { table, column, key }: EncryptedColumn,
  values: readonly Renewed[],
): Promise<number> {
  if (values.length === 0) return 0;
  const { rowCount } = await client.query(
    `update ${table} t set ${column} = v.renewed
     from unnest($1::bigint[], $2::bytea[], $3::bytea[]) as v (id, bytes, renewed)
     where t.${key} = v.id and t.${column} = v.bytes`,
    [values.map(({ id }) => id), values.map(({ bytes }) => bytes), values.map(({ renewed }) => renewed)],
  );
  return rowCount ?? 0;
}
