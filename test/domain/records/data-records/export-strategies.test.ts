import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordSearch } from '../../../../db/records/list-data-records.js';
import type { RecordCriterion } from '../../../../db/records/record-criteria.js';
import { dataRecordsAfter, idsOfMatches } from '../../../../db/records/transfer-data-records.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { addRecords } from '../../../support/records/add-records.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let everything: RecordSearch;
let ids: number[];

beforeAll(async () => {
  const { workspace } = suite;
  const { id } = await createDataType(workspace.context(), {
    name: 'Intake',
    slug: 'intake',
    isCollection: true,
    fields: [
      { slug: 'kind', name: 'Kind', fieldType: 'select', shouldIndex: true },
      { slug: 'tags', name: 'Tags', fieldType: 'multiselect', shouldIndex: true },
    ],
  });
  const records = Array.from({ length: 60 }, (_, index) => ({
    fieldValues: { kind: index % 3 === 0 ? 'a' : 'b', tags: ['x', index % 2 === 0 ? 'y' : 'z'] },
  }));
  const saved = await addRecords(workspace, id, records);
  ids = saved.flatMap((one) => (one.status === 'failed' ? [] : one.record.id));
  everything = { dataTypeId: id, states: [false], criteria: [] };
});

const inWorkspace = <T>(work: Parameters<typeof suite.workspace.database.readInWorkspace<T>>[1]) =>
  suite.workspace.database.readInWorkspace(suite.workspace.workspaceId, work);

/** The ids that a search finds in batches of ten records. */
async function walked(search: RecordSearch): Promise<number[]> {
  const found: number[] = [];
  for (;;) {
    const batch = await inWorkspace((tx) => dataRecordsAfter(tx, search, found.at(-1) ?? 0, 10));
    found.push(...batch.items.map(({ id }) => id));
    if (batch.found < 10) return found;
  }
}

const values = (field: string, isMany: boolean, among: string[]): RecordCriterion => ({
  kind: 'values',
  field,
  by: 'text',
  isMany,
  tests: [{ among }],
});

describe.each<[string, RecordSearch['criteria'], (index: number) => boolean]>([
  ['everything', [], () => true],
  ['one value', [values('kind', false, ['a'])], (index) => index % 3 === 0],
  ['several values of one record', [values('tags', true, ['x', 'y'])], () => true],
  [
    'two criteria',
    [values('kind', false, ['b']), values('tags', true, ['z'])],
    (index) => index % 3 !== 0 && index % 2 === 1,
  ],
  ['nothing', [values('kind', false, ['c'])], () => false],
])('a search for %s', (_title, criteria, passes) => {
  it('finds the same records, each once and in order, in batches and by its list of ids', async () => {
    const search = { ...everything, criteria };
    const expected = ids.filter((_, index) => passes(index));

    expect(await walked(search)).toEqual(expected);
    expect(await inWorkspace((tx) => idsOfMatches(tx, search, 60))).toEqual(expected);
    if (expected.length === 0) return;
    expect(await inWorkspace((tx) => idsOfMatches(tx, search, expected.length - 1))).toBeUndefined();
  });
});
