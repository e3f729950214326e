import pg from 'pg';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { fillTables } from '../db/fill-tables.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

/** In each group there are so many records, however many there are. */
export const recordsInGroup = 50;

const fields = [
  { slug: 'due', name: 'Due', fieldType: 'date' },
  { slug: 'group', name: 'Group', fieldType: 'integer' },
  { slug: 'name', name: 'Name', fieldType: 'text' },
].map((field) => ({ ...field, shouldIndex: true }));

/** A tenth of the records are due on each of ten days. Names are all different, in no order of ids. */
const due = `'2030-01-' || 10 + i % 10`;
const group = `i % (total / ${recordsInGroup})`;
const name = 'to_hex(i * 7919 % 1000003)';
/** The name of record `number`, from 1. */
export const nameOf = (number: number): string => ((number * 7919) % 1_000_003).toString(16);

/** What lists find record `i` by, as the service stores it: a test compares them. */
const values = `
  select i, 'due' as field, ${due} as text_value, null::float8 as number_value from numbers
  union all select i, 'group', null, ${group} from numbers
  union all select i, 'name', ${name}, null from numbers
  union all select i, '', ${name}, null from numbers`;

/**
 * A type with so many records of the workspace's admin, filled in as fast as PostgreSQL can: as a superuser, with its
 * indexes made afterwards, and nothing else than the records and what lists find them by. Nothing is analysed: a table
 * that was just filled has no statistics.
 */
export async function makeManyRecords(
  superuserUrl: string,
  workspace: TestWorkspace,
  total: number,
): Promise<DataTypeRow> {
  const slug = `many-${randomTag()}`;
  const type = await createDataType(workspace.context(), { name: 'Many', slug, isCollection: true, fields });
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await fillTables(client, ['data_records', 'data_record_values'], () =>
      fill(client, workspace, type.id, total),
    );
  } finally {
    await client.end();
  }
  return type;
}

async function fill(
  client: pg.Client,
  workspace: TestWorkspace,
  typeId: number,
  total: number,
): Promise<void> {
  const { workspaceId, admin } = workspace;
  const { rows } = await client.query('select coalesce(max(id), 0) as last from data_records');
  const before = Number(rows[0]?.last);
  const numbers = `with numbers as (select i, ${total}::bigint as total from generate_series(1, ${total}::bigint) as i)`;
  await client.query(
    `${numbers} insert into data_records
       (id, workspace_id, uuid, data_type_id, member_id, is_single, field_values, access_mode, created_at, updated_at)
     overriding system value
     select ${before} + i, ${workspaceId}, ('00000000-0000-4000-8000-' || lpad(right(to_hex(${before} + i), 12), 12, '0'))::uuid,
       ${typeId}, ${admin.memberId}, false,
       jsonb_build_object('due', ${due}, 'group', ${group}, 'name', ${name}),
       0, timestamptz '2030-01-01Z' + i * interval '1 second', timestamptz '2030-01-01Z' + i * interval '1 second'
     from numbers`,
  );
  await client.query(
    `${numbers} insert into data_record_values
       (workspace_id, data_type_id, record_id, retired, is_unique, field, text_value, number_value)
     select ${workspaceId}, ${typeId}, ${before} + i, false, false, field, text_value, number_value
     from (${values}) as found`,
  );
  await client.query(`select setval('data_records_id_seq', ${before + total})`);
}
