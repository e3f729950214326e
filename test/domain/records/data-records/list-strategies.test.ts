import { beforeAll, describe, expect, it } from 'vitest';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import {
  type ListLimits,
  type RecordSearch,
  selectDataRecords,
} from '../../../../db/records/list-data-records.js';
import type { RecordCriterion } from '../../../../db/records/record-criteria.js';
import type { RecordSort } from '../../../../db/records/record-orders.js';
import { dataRecordsAfter, idsOfMatches } from '../../../../db/records/transfer-data-records.js';
import type { Tx } from '../../../../db/tx.js';
import { saveSearchableValues } from '../../../../domain/records/data-records/writing/searchable-values.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

/** Every strategy has to return the same list: each is compared with filtering and sorting all records in memory. */
const stage = useWorkspace();
const count = 240;
const ways: [string, ListLimits][] = [
  ['few matches are sorted', { maxCounted: 10_000, fewMatches: 10_000 }],
  ['orders are walked', { maxCounted: 10_000, fewMatches: 0 }],
  ['walks are too short', { maxCounted: 10, fewMatches: 0 }],
];

const fields = [
  { slug: 'color', name: 'Color', fieldType: 'text' },
  { slug: 'size', name: 'Size', fieldType: 'number' },
  { slug: 'tags', name: 'Tags', fieldType: 'multiselect' },
].map((field) => ({ ...field, shouldIndex: true }));
const colors = ['amber', 'blue', 'coral'];

interface Known {
  id: number;
  memberId: number;
  retiredAt: Date | null;
  accessMode: number;
  createdAt: Date;
  fieldValues: { color?: string; size?: number; tags?: string[] };
}

let type: DataTypeRow;
let known: Known[];

beforeAll(async () => {
  const { workspace } = stage;
  type = await createDataType(workspace.context(), { name: 'L', slug: 'listed', isCollection: true, fields });
  known = await inWorkspace(async (tx) => {
    const rows: Known[] = await tx('data_records')
      .insert(Array.from({ length: count }, (_, index) => recordOf(index)))
      .returning([
        'id',
        'member_id as memberId',
        'retired_at as retiredAt',
        'access_mode as accessMode',
        'created_at as createdAt',
        'field_values as fieldValues',
      ]);
    await saveSearchableValues(tx, type, rows);
    return rows;
  });
});

function inWorkspace<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return stage.workspace.within(work);
}

/** Values with many duplicates and gaps, in no order of the ids. */
function recordOf(index: number): Record<string, unknown> {
  const { workspaceId, admin, member } = stage.workspace;
  const mixed = (index * 7_919) % 241;
  const values = {
    ...(mixed % 4 === 3 ? {} : { color: colors[mixed % 3] }),
    ...(mixed % 5 === 4 ? {} : { size: mixed % 12 }),
    ...(mixed % 7 === 6 ? {} : { tags: ['x', 'y', 'z'].slice(0, mixed % 4) }),
  };
  const moment = new Date(Date.UTC(2030, 0, 1, 0, mixed));
  return {
    workspace_id: workspaceId,
    data_type_id: type.id,
    member_id: mixed % 3 === 0 ? member.memberId : admin.memberId,
    is_single: false,
    field_values: JSON.stringify(values),
    access_mode: mixed % 4,
    retired_at: mixed % 6 === 0 ? moment : null,
    created_at: moment,
    updated_at: moment,
  };
}

const ofText = { kind: 'values', by: 'text' } as const;
const color = (...among: string[]): RecordCriterion => {
  return { ...ofText, field: 'color', isMany: false, tests: [{ among }] };
};
const size = (test: object): RecordCriterion => {
  return { kind: 'values', field: 'size', by: 'number', isMany: false, tests: [test] };
};
const tags = (...among: string[]): RecordCriterion => {
  return { ...ofText, field: 'tags', isMany: true, tests: [{ among }] };
};

type Passes = (record: Known) => boolean;
const isColor = (...among: string[]): Passes => {
  return ({ fieldValues }) => among.includes(fieldValues.color ?? '');
};
const hasTag = (...among: string[]): Passes => {
  return ({ fieldValues }) => (fieldValues.tags ?? []).some((tag) => among.includes(tag));
};
const sizeOf = ({ fieldValues }: Known) => fieldValues.size ?? Number.NaN;
const noon = new Date(Date.UTC(2030, 0, 1, 2));

function searches(): [string, RecordCriterion[], Passes][] {
  const { memberId } = stage.workspace.member;
  return [
    ['all', [], () => true],
    ['one color', [color('blue')], isColor('blue')],
    ['two colors', [color('blue', 'coral')], isColor('blue', 'coral')],
    ['a range', [size({ from: 3, before: 9 })], (one) => sizeOf(one) >= 3 && sizeOf(one) < 9],
    ['no size', [size({ isEmpty: true })], ({ fieldValues }) => fieldValues.size === undefined],
    ['any of two tags', [tags('x', 'y')], hasTag('x', 'y')],
    ['any of all tags', [tags('x', 'y', 'z')], hasTag('x', 'y', 'z')],
    ['both of two tags', [tags('x'), tags('z')], (one) => hasTag('x')(one) && hasTag('z')(one)],
    [
      'color and range',
      [color('amber'), size({ after: 4 })],
      (one) => isColor('amber')(one) && sizeOf(one) > 4,
    ],
    ['color and tag', [color('blue'), tags('z')], (one) => isColor('blue')(one) && hasTag('z')(one)],
    ['a member', [{ kind: 'member', memberId }], (one) => one.memberId === memberId],
    [
      'what a member sees, of a color',
      [{ kind: 'visibleTo', memberId }, color('blue')],
      (one) =>
        isColor('blue')(one) && (one.accessMode === 3 || (one.memberId === memberId && one.accessMode !== 2)),
    ],
    [
      'a time and a tag',
      [{ kind: 'times', column: 'createdAt', from: noon }, tags('y')],
      (one) => one.createdAt >= noon && hasTag('y')(one),
    ],
    ['nothing', [color('grey')], () => false],
  ];
}

type KeyOf = (record: Known) => string | number | undefined;
const sorts: [RecordSort, KeyOf][] = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => createdAt.getTime()],
  ['updatedAt', ({ createdAt }) => createdAt.getTime()],
  [{ field: 'color', by: 'text' }, ({ fieldValues }) => fieldValues.color],
  [{ field: 'size', by: 'number' }, ({ fieldValues }) => fieldValues.size],
];

/** Sorts by the key, missing keys last, and by id for equal keys. */
function inOrder(records: Known[], keyOf: KeyOf, sign: number): number[] {
  const compared = (one: Known, other: Known): number => {
    const [first, second] = [keyOf(one), keyOf(other)];
    if (first === second) return sign * (one.id - other.id);
    if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
    return first < second ? -sign : sign;
  };
  return [...records].sort(compared).map(({ id }) => id);
}

const orders = sorts.flatMap(([sort, keyOf]) =>
  (['asc', 'desc'] as const).map((direction) => ({ sort, keyOf, direction })),
);
const stateCases: [string, boolean[]][] = [
  ['live', [false]],
  ['retired', [true]],
  ['all', [false, true]],
];

/** The records in these states that pass, in order of id. */
const passing = (states: boolean[], passes: Passes) =>
  known.filter((one) => states.includes(one.retiredAt !== null) && passes(one));

describe.each(ways)('a list of records where %s', (_way, limits) => {
  const { maxCounted } = limits;

  it.each(stateCases)(
    'equals the sorted list in memory for %s records',
    { timeout: 60_000 },
    async (_name, states) => {
      for (const [name, criteria, passes] of searches()) {
        const records = passing(states, passes);
        for (const { sort, keyOf, direction } of orders) {
          const expected = inOrder(records, keyOf, direction === 'asc' ? 1 : -1).slice(0, maxCounted);
          const page = { offset: 3, pageSize: 7, sort, direction };
          const { items, total, totalIsExact } = await inWorkspace((tx) =>
            selectDataRecords(tx, { dataTypeId: type.id, states, criteria }, page, limits),
          );
          const ids = items.map(({ id }) => id);
          expect([name, sort, direction, ids, total, totalIsExact]).toEqual([
            ...[name, sort, direction, expected.slice(3, 10), expected.length],
            records.length <= maxCounted,
          ]);
        }
      }
    },
  );
});

describe('an export of records', () => {
  /** The ids that a search finds in batches of ten records. */
  async function walked(search: RecordSearch): Promise<number[]> {
    const found: number[] = [];
    for (;;) {
      const batch = await inWorkspace((tx) => dataRecordsAfter(tx, search, found.at(-1) ?? 0, 10));
      found.push(...batch.items.map(({ id }) => id));
      if (batch.items.length < 10) return found;
    }
  }

  it.each(stateCases)(
    'finds the same %s records, in batches and by its list of ids',
    async (_name, states) => {
      for (const [name, criteria, passes] of searches()) {
        const search = { dataTypeId: type.id, states, criteria };
        const ids = passing(states, passes).map(({ id }) => id);
        const listed = (most: number) => inWorkspace((tx) => idsOfMatches(tx, search, most));

        expect([name, await walked(search), await listed(count)]).toEqual([name, ids, ids]);
        if (ids.length > 0) expect(await listed(ids.length - 1)).toBeUndefined();
      }
    },
  );
});
