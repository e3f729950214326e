import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { PageRequest } from '../../../../domain/lib/paging.js';
import { listDataRecords } from '../../../../domain/records/data-records/queries/list-data-records.js';
import type { DataRecordFilter } from '../../../../domain/records/data-records/queries/record-search.js';
import { valuesOf } from '../../../../domain/records/data-records/writing/searchable-values.js';
import { explaining } from '../../../support/db/explained.js';
import { makeManyRecords, nameOf, recordsInGroup } from '../../../support/records/many-records.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

/** A million in CI. `most` is exceeded by far if a list reads a tenth of the records, with either number. */
const total = Number(process.env.TEST_ROWS ?? 200_000);
const stage = useWorkspace();
let type: DataTypeRow;
let plain: TestMember;
let superuser: pg.Client;

beforeAll(async () => {
  const { database, workspace } = stage;
  plain = await addMember(workspace, { role: workspace.roles.member });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  type = await makeManyRecords(database.superuserUrl, workspace, total);
}, 300_000);
afterAll(() => superuser.end());

interface Shape extends Partial<PageRequest> {
  filter?: DataRecordFilter;
  /** The maximum number of rows that may be read, in tables and indexes. */
  most?: number;
  /** The total that the list reports. */
  finds?: number;
  asPlain?: boolean;
}

/** Counting up to 10,001 rows is a part of `most`. */
const counted = 10_001;
const byName = { sortBy: 'field:name' };
const newest = { sortBy: 'createdAt', sortOrder: 'desc' } as const;
const aTenth = { filter: { filters: ['due:eq:2030-01-13'] }, most: counted + 2_000 };
const day = (number: number) => new Date(Date.UTC(2030, 0, number));
const anHour = { createdFrom: day(3), createdBefore: new Date(day(3).getTime() + 900_000) };
const withPrefix = Array.from({ length: total }, (_, index) => nameOf(index + 1)).filter((name) =>
  name.startsWith('a1b2'),
).length;
const having = (...filters: string[]) => ({ filter: { filters } });

const shapes: [string, Shape][] = [
  ['all', {}],
  ['the newest', newest],
  ['the last changed', { ...newest, sortBy: 'updatedAt' }],
  ['all by a field', byName],
  ['the last page there is', { ...byName, page: 400, most: 2 * counted + 200 }],
  ['a few by another field', { ...having('group:eq:7'), ...byName, most: 1_000, finds: recordsInGroup }],
  ['a tenth by another field', { ...aTenth, ...byName }],
  ['a tenth, the newest', { ...aTenth, ...newest }],
  ['a tenth by id', { ...aTenth, sortOrder: 'desc', most: counted + 200 }],
  ['several values', { ...aTenth, ...having('due:in:2030-01-13,2030-01-14'), ...byName, sortOrder: 'desc' }],
  [
    'a range by its field',
    { ...having('group:gte:100', 'group:lt:15000'), sortBy: 'field:group', sortOrder: 'desc' },
  ],
  [
    'a narrow range by another',
    {
      ...having('group:gte:100', 'group:lt:110'),
      sortBy: 'createdAt',
      most: 5_000,
      finds: 10 * recordsInGroup,
    },
  ],
  [
    'two at once',
    {
      ...having('group:lt:10', 'due:eq:2030-01-13'),
      ...byName,
      most: counted + 3_000,
      finds: recordsInGroup,
    },
  ],
  ['a prefix', { ...having('name:prefix:a1b2'), sortBy: 'updatedAt', most: 500, finds: withPrefix }],
  ['a search', { filter: { search: 'A1B2' }, sortBy: 'createdAt', most: 500, finds: withPrefix }],
  ['a search for much', { filter: { search: 'a' }, sortBy: 'createdAt', most: counted + 3_000 }],
  ['an hour by another field', { filter: anHour, ...byName, most: 5_000, finds: 900 }],
  ['what was changed since, by when', { filter: { updatedFrom: day(3) }, sortBy: 'updatedAt' }],
  ['an external id', { filter: { externalId: 'nobody' }, most: 10, finds: 0 }],
  ['what is retired', { filter: { retired: true }, ...byName, most: 10, finds: 0 }],
  ['retired or not', { ...aTenth, filter: { ...aTenth.filter, retired: 'all' }, ...byName }],
  ['a member’s own', { ...byName, most: 100, finds: 0, asPlain: true }],
  [
    'a member’s own of a tenth',
    { ...aTenth, sortBy: 'createdAt', most: counted + 100, finds: 0, asPlain: true },
  ],
];

describe.each(['never analysed', 'analysed'])('a list of many records, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze data_records, data_record_values');
  }, 300_000);

  it.each(shapes)('reads few rows and only by indexes: %s', { timeout: 300_000 }, async (_name, shape) => {
    const { database, workspace } = stage;
    const { filter = {}, most = counted + 200, finds = 10_000, asPlain = false, ...asked } = shape;
    const page = { page: 1, pageSize: 25, sortBy: 'id', sortOrder: 'asc', ...asked } as const;
    const context = workspace.context(asPlain ? plain : workspace.admin);

    let found = 0;
    const explained = await explaining(database.appUrl, workspace.workspaceId, async (db) => {
      found = (await listDataRecords({ ...context, db }, type.id, filter, page)).total;
    });

    expect(found).toBe(finds);
    const scans = explained.flatMap((one) => one.scans);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((scan) => !/^Index (Only )?Scan /.test(scan))).toEqual([]);
    expect(explained.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(most);
  });
});

it('a list counts and goes as far as it is asked to, and no further', async () => {
  const { workspace } = stage;
  const list = (page: number, countTo: number) => {
    const asked = { page, pageSize: 100, sortBy: 'id', sortOrder: 'asc' } as const;
    return listDataRecords(workspace.context(), type.id, { retired: false }, asked, { countTo });
  };
  const last = await list(500, 50_000);
  expect(last).toMatchObject({ total: 50_000, totalIsExact: false });
  expect(last.items).toHaveLength(100);
  await expect(list(501, 50_000)).rejects.toMatchObject({ errors: [{ pointer: '/page' }] });
});

it('makeManyRecords stores the same search values as the service', async () => {
  const { rows } = await superuser.query(
    `select r.id, r.field_values as "fieldValues", r.retired_at as "retiredAt",
       (select json_agg(json_build_object('recordId', v.record_id, 'field', v.field, 'text', v.text_value,
          'number', v.number_value, 'isUnique', v.is_unique, 'retired', v.retired)
          order by field desc, text_value) from data_record_values v where v.record_id = r.id) as stored
     from data_records r where r.data_type_id = $1 and r.id % 9973 = 0`,
    [type.id],
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { stored, ...record } of rows) {
    const byField = (one: { field: string }, other: { field: string }) => (one.field < other.field ? 1 : -1);
    expect([...stored].sort(byField)).toEqual([...valuesOf(type, record)].sort(byField));
  }
});
