import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { listDataRecords } from '../../../../domain/records/data-records/queries/list-data-records.js';
import type { DataRecordFilter } from '../../../../domain/records/data-records/queries/record-search.js';
import { valuesOf } from '../../../../domain/records/data-records/writing/searchable-values.js';
import { explaining } from '../../../support/db/explained.js';
import { makeManyRecords, recordsInGroup } from '../../../support/records/many-records.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const total = 1_000_000;
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

interface Shape {
  filter: DataRecordFilter;
  sortBy: string;
  sortOrder?: 'asc' | 'desc';
  page?: number;
  /** The maximum number of rows that may be read, in tables and indexes. */
  most: number;
  /** The total that the list reports. */
  finds: number;
  asPlain?: boolean;
}

/** Counting up to 10,001 rows is a part of `most`. */
const counted = 10_001;
const day = (number: number) => new Date(Date.UTC(2030, 0, number));

const shapes: [string, Shape][] = [
  ['all', { filter: {}, sortBy: 'id', most: counted + 200, finds: 10_000 }],
  ['the newest', { filter: {}, sortBy: 'createdAt', sortOrder: 'desc', most: counted + 200, finds: 10_000 }],
  [
    'the last changed',
    { filter: {}, sortBy: 'updatedAt', sortOrder: 'desc', most: counted + 200, finds: 10_000 },
  ],
  ['all by a field', { filter: {}, sortBy: 'field:name', most: counted + 200, finds: 10_000 }],
  [
    'the last page there is',
    { filter: {}, sortBy: 'field:name', page: 400, most: 2 * counted + 200, finds: 10_000 },
  ],
  [
    'a few by another field',
    { filter: { filters: ['group:eq:7'] }, sortBy: 'field:name', most: 1_000, finds: recordsInGroup },
  ],
  [
    'a tenth by another field',
    {
      filter: { filters: ['due:eq:2030-01-13'] },
      sortBy: 'field:name',
      most: counted + 2_000,
      finds: 10_000,
    },
  ],
  [
    'a tenth, the newest',
    {
      filter: { filters: ['due:eq:2030-01-13'] },
      sortBy: 'createdAt',
      sortOrder: 'desc',
      most: counted + 2_000,
      finds: 10_000,
    },
  ],
  [
    'a tenth by id',
    {
      filter: { filters: ['due:eq:2030-01-13'] },
      sortBy: 'id',
      sortOrder: 'desc',
      most: counted + 200,
      finds: 10_000,
    },
  ],
  [
    'several values',
    {
      filter: { filters: ['due:in:2030-01-13,2030-01-14'] },
      sortBy: 'field:name',
      sortOrder: 'desc',
      most: counted + 2_000,
      finds: 10_000,
    },
  ],
  [
    'a range by its field',
    {
      filter: { filters: ['group:gte:100', 'group:lt:15000'] },
      sortBy: 'field:group',
      sortOrder: 'desc',
      most: counted + 200,
      finds: 10_000,
    },
  ],
  [
    'a narrow range by another',
    {
      filter: { filters: ['group:gte:100', 'group:lt:110'] },
      sortBy: 'createdAt',
      most: 5_000,
      finds: 10 * recordsInGroup,
    },
  ],
  [
    'two at once',
    {
      filter: { filters: ['group:lt:10', 'due:eq:2030-01-13'] },
      sortBy: 'field:name',
      most: counted + 3_000,
      finds: recordsInGroup,
    },
  ],
  ['a prefix', { filter: { filters: ['name:prefix:a1b2'] }, sortBy: 'updatedAt', most: 500, finds: 17 }],
  ['a search', { filter: { search: 'A1B2' }, sortBy: 'createdAt', most: 500, finds: 17 }],
  [
    'a search for much',
    { filter: { search: 'a' }, sortBy: 'createdAt', most: counted + 3_000, finds: 10_000 },
  ],
  [
    'an hour by another field',
    {
      filter: { createdFrom: day(3), createdBefore: new Date(day(3).getTime() + 900_000) },
      sortBy: 'field:name',
      most: 5_000,
      finds: 900,
    },
  ],
  [
    'what was changed since, by when',
    { filter: { updatedFrom: day(5) }, sortBy: 'updatedAt', most: counted + 200, finds: 10_000 },
  ],
  ['an external id', { filter: { externalId: 'nobody' }, sortBy: 'id', most: 10, finds: 0 }],
  ['what is retired', { filter: { retired: true }, sortBy: 'field:name', most: 10, finds: 0 }],
  [
    'retired or not',
    {
      filter: { retired: 'all', filters: ['due:eq:2030-01-13'] },
      sortBy: 'field:name',
      most: counted + 2_000,
      finds: 10_000,
    },
  ],
  ['a member’s own', { filter: {}, sortBy: 'field:name', most: 100, finds: 0, asPlain: true }],
  [
    'a member’s own of a tenth',
    {
      filter: { filters: ['due:eq:2030-01-13'] },
      sortBy: 'createdAt',
      most: counted + 100,
      finds: 0,
      asPlain: true,
    },
  ],
];

describe.each(['never analysed', 'analysed'])('a list of a million records, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze data_records, data_record_values');
  }, 60_000);

  it.each(shapes)('reads few rows and only by indexes: %s', { timeout: 30_000 }, async (_name, shape) => {
    const { database, workspace } = stage;
    const page = {
      page: shape.page ?? 1,
      pageSize: 25,
      sortBy: shape.sortBy,
      sortOrder: shape.sortOrder ?? 'asc',
    };
    const context = workspace.context(shape.asPlain === true ? plain : workspace.admin);

    let found = 0;
    const explained = await explaining(database.appUrl, workspace.workspaceId, async (db) => {
      found = (await listDataRecords({ ...context, db }, type.id, shape.filter, page)).total;
    });

    expect(found).toBe(shape.finds);
    const scans = explained.flatMap((one) => one.scans);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((scan) => !/^Index (Only )?Scan /.test(scan))).toEqual([]);
    expect(explained.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(shape.most);
  });
});

describe('the records that this test inserts', () => {
  it('have the same search values as the service would store', async () => {
    const { rows } = await superuser.query(
      `select r.id, r.field_values as "fieldValues", r.retired_at as "retiredAt",
         (select json_agg(json_build_object('recordId', v.record_id, 'field', v.field, 'text', v.text_value,
            'number', v.number_value, 'isUnique', v.is_unique, 'retired', v.retired)
            order by field desc, text_value) from data_record_values v where v.record_id = r.id) as stored
       from data_records r where r.data_type_id = $1 and r.id % 99991 = 0`,
      [type.id],
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { stored, ...record } of rows) {
      const byField = (one: { field: string }, other: { field: string }) =>
        one.field < other.field ? 1 : -1;
      expect([...stored].sort(byField)).toEqual([...valuesOf(type, record)].sort(byField));
    }
  });
});
