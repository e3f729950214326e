import type pg from 'pg';

type Superuser = Pick<pg.Client, 'query'>;

interface Column {
  name: string;
  type: string;
}

/** Copies of rows of a table. In SQL, `original` is a row, and `copy` the number of a copy, from 1. */
export interface Copies {
  table: string;
  where: string;
  times: number;
  /** What a column of a copy holds, unless it is what the original holds. */
  differing(column: Column): string | undefined;
}

/** Copies rows within the database; what is generated is generated anew. */
export async function copyRows(client: Superuser, { table, where, times, differing }: Copies): Promise<void> {
  const columns = await columnsOf(client, table);
  const values = columns.map((column) => differing(column) ?? `original.${column.name}`);
  await client.query(
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) overriding system value
     select ${values.join(', ')} from generate_series(1::bigint, ${times}) copy, ${table} original where ${where}`,
  );
}

async function columnsOf(client: Superuser, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select quote_ident(attname) as name, atttypid::regtype::text as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows;
}

/** The tables of workspaces that have rows, but for the outbox. */
export async function filledTables(client: Superuser): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'workspace_id'
       and c.relname <> 'outbox'`,
  );
  const filled: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount === 1) filled.push(name);
  }
  return filled;
}

/** New rows get ids behind those of copies. */
export async function moveSequence(client: Superuser, table: string): Promise<void> {
  await client.query(
    `select setval(sequence, (select max(id) from ${table})) from pg_get_serial_sequence($1, 'id') sequence
     where sequence is not null`,
    [table],
  );
}
