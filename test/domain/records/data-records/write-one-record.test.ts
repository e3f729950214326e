import { describe, expect, it } from 'vitest';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { DomainError, Forbidden } from '../../../../domain/lib/errors.js';
import { retireDataRecord } from '../../../../domain/records/data-records/record-retirement.js';
import { writeOneRecord } from '../../../../domain/records/data-records/writing/write-one-record.js';
import {
  type RecordToSave,
  type WriteOptions,
  writeRecords,
} from '../../../../domain/records/data-records/writing/write-records.js';
import { optionsOf, useWriting } from './use-writing.js';

const { workspace, members, newType, writing, kept } = useWriting([
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'badge', name: 'Badge', fieldType: 'text', unique: true },
  { slug: 'nurse', name: 'Nurse', fieldType: 'member' },
]);

/** An item of the member, or of the other one. */
type Item = Omit<RecordToSave, 'memberId' | 'record'> & { isOthers?: boolean };
type Options = Partial<WriteOptions>;
type Save = (type: DataTypeRow, item: Item, options?: Options) => Promise<{ id: number } | DomainError>;

const toSave = ({ isOthers = false, ...item }: Item): RecordToSave => ({
  ...item,
  memberId: isOthers ? members.otherId : members.memberId,
});

const saveOne: Save = (type, item, options) =>
  writing(type, async (tx) => {
    const { record } = await writeOneRecord(tx, optionsOf(options), type, toSave(item));
    return record;
  }).catch((error) => {
    if (error instanceof DomainError) return error;
    throw error;
  });

const saveInBatch: Save = (type, item, options) =>
  writing(type, async (tx) => {
    const [saved] = await writeRecords(tx, optionsOf(options), type, [toSave(item)]);
    if (saved === undefined) throw new Error('the item has no outcome');
    return saved.status === 'failed' ? saved.reason : saved.record;
  });

/** What is stored for a type, without ids and times. */
const comparable = async (type: DataTypeRow) => {
  const { rows, ...more } = await kept(type);
  const kinds = ['member_id', 'external_id', 'field_values', 'access_mode', 'is_single', 'is_retired'];
  return { ...more, rows: rows.map((row) => kinds.map((kind) => [kind, row[kind]])) };
};

const old: Item = { externalId: 'old', fieldValues: { reason: 'A', badge: 'One' } };
const other: Item = { externalId: 'other', fieldValues: { reason: 'B', badge: 'Two' } };
const follows: Options = { followsExternalIds: true };

const cases: {
  title: string;
  before?: Item[];
  isCollection?: boolean;
  isRetired?: boolean;
  item: Item;
  options?: Options;
  /** The code of the refusal. */
  refusal?: string;
}[] = [
  { title: 'a new record', item: { fieldValues: { reason: 'A', badge: 'One' }, accessMode: 1 } },
  { title: 'a new record with an external id', item: old },
  { title: 'a known external id', before: [old], item: { ...old, fieldValues: { reason: 'New' } } },
  { title: 'a record that stays as it is', before: [old], item: old },
  { title: 'nulls for empty fields', before: [old], item: { ...old, fieldValues: { nurse: null } } },
  {
    title: "a member's single record with a new external id",
    before: [old],
    isCollection: false,
    item: { externalId: 'new', fieldValues: { reason: 'New' } },
  },
  {
    title: 'a record without a required value that may come later',
    item: { fieldValues: { badge: 'One' } },
    options: { requiredLater: true },
  },
  {
    title: 'a record that moves to another member',
    before: [old],
    item: { ...old, isOthers: true },
    options: follows,
  },
  {
    title: 'a retired record that is restored',
    before: [old],
    isRetired: true,
    item: { ...old, fieldValues: { reason: 'New' } },
    options: follows,
  },
  { title: 'a retired record', before: [old], isRetired: true, item: old, refusal: 'record_retired' },
  { title: 'a missing required value', item: { fieldValues: {} }, refusal: 'validation_failed' },
  {
    title: 'a reference to a missing member',
    item: { fieldValues: { reason: 'A', nurse: 2_000_000_000 } },
    refusal: 'validation_failed',
  },
  {
    title: "another member's external id",
    before: [old],
    item: { ...old, isOthers: true },
    refusal: 'duplicate',
  },
  {
    title: 'a unique value of another record',
    before: [old, other],
    item: { ...other, fieldValues: { reason: 'New', badge: 'ONE' } },
    refusal: 'duplicate',
  },
  {
    title: 'a retired record whose unique value is taken',
    before: [old],
    isRetired: true,
    item: { fieldValues: { reason: 'B', badge: 'one' } },
  },
  {
    title: 'a record that moves to a member with a single record',
    before: [old, { ...other, isOthers: true }],
    isCollection: false,
    item: { ...old, isOthers: true },
    options: follows,
    refusal: 'duplicate',
  },
  {
    title: 'a write that authorize refuses',
    before: [old],
    item: { ...old, fieldValues: { reason: 'New' } },
    options: {
      authorize: (_, found) => {
        if (found?.by === 'externalId') throw new Forbidden('records:write');
      },
    },
    refusal: 'forbidden',
  },
];

function recordOf(saved: { id: number } | DomainError): { id: number } {
  if (saved instanceof DomainError) throw saved;
  return saved;
}

describe('writeOneRecord', () => {
  it.each(cases)('stores and refuses the same as writeRecords: $title', async (one) => {
    const { before = [], isCollection = true, isRetired = false, item, options, refusal } = one;
    const outcomeOf = async (save: Save) => {
      const type = await newType(isCollection);
      for (const earlier of before) {
        const { id } = recordOf(await saveInBatch(type, earlier));
        if (isRetired) await retireDataRecord(workspace.context(), type.id, id, null);
      }
      const saved = await save(type, item, options);
      const refused = saved instanceof DomainError ? saved : undefined;
      return {
        refused: refused && { code: refused.code, message: refused.message, errors: refused.errors },
        stored: await comparable(type),
      };
    };

    const alone = await outcomeOf(saveOne);

    expect(alone).toEqual(await outcomeOf(saveInBatch));
    expect(alone.refused?.code).toBe(refusal);
  });

  it('calls authorize once, with the existing record', async () => {
    const type = await newType(true);
    const asked: unknown[] = [];
    const authorize: WriteOptions['authorize'] = (_, found) => {
      asked.push(found?.by);
    };

    await saveOne(type, old, { authorize });
    await saveOne(type, { ...old, fieldValues: { reason: 'New' } }, { authorize });

    expect(asked).toEqual([undefined, 'externalId']);
  });

  it.each([true, false])(
    'creates one record for fifty concurrent writes of one key (collection: %s)',
    async (isCollection) => {
      const type = await newType(isCollection);
      const itemOf = (index: number): Item => ({
        ...(isCollection ? { externalId: 'one' } : {}),
        fieldValues: { reason: `Day ${index}` },
      });

      await Promise.all(Array.from({ length: 50 }, (_, index) => saveOne(type, itemOf(index))));

      const { rows, changes } = await kept(type);
      expect(rows).toHaveLength(1);
      expect(changes.filter(({ operation }) => operation === 'created')).toHaveLength(1);
      // Each change began with the result of the one before.
      expect(changes.slice(1).map((change) => change.before)).toEqual(
        changes.slice(0, -1).map(({ after }) => after),
      );
    },
  );

  it('leaves the transaction usable after a refusal', async () => {
    const type = await newType(true);
    await saveOne(type, old);

    await writing(type, async (tx) => {
      const { memberId } = members;
      const taken = { memberId, fieldValues: { reason: 'B', badge: 'one' } };
      await expect(writeOneRecord(tx, optionsOf(), type, taken)).rejects.toMatchObject({ code: 'duplicate' });
      await writeOneRecord(tx, optionsOf(), type, { memberId, fieldValues: { reason: 'B' } });
    });

    expect((await kept(type)).rows).toMatchObject([
      { external_id: 'old' },
      { field_values: { reason: 'B' } },
    ]);
  });
});
