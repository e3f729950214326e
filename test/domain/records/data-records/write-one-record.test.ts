import { beforeAll, describe, expect, it } from 'vitest';
import { type DataTypeRow, pinDataType } from '../../../../db/records/data-types.js';
import { DomainError, Forbidden } from '../../../../domain/lib/errors.js';
import { retireDataRecord } from '../../../../domain/records/data-records/record-retirement.js';
import { writeOneRecord } from '../../../../domain/records/data-records/writing/write-one-record.js';
import {
  type RecordToSave,
  type WriteOptions,
  writeRecords,
} from '../../../../domain/records/data-records/writing/write-records.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { addMemberRow, randomTag } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace({ storesEvents: true });
const fields = [
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'badge', name: 'Badge', fieldType: 'text', unique: true },
  { slug: 'nurse', name: 'Nurse', fieldType: 'member' },
];
let memberId: number;
let otherId: number;

const newMember = async () =>
  (await addMemberRow(suite.workspace, { memberRoleId: suite.workspace.roles.member.id })).id;
beforeAll(async () => {
  memberId = await newMember();
  otherId = await newMember();
});

/** An item of the member, or of the other one. */
type Item = Omit<RecordToSave, 'memberId' | 'record'> & { isOthers?: boolean };
type Options = Partial<WriteOptions>;
type Save = (type: DataTypeRow, item: Item, options?: Options) => Promise<{ id: number } | DomainError>;

const now = new Date('2026-01-01T00:00:00Z');
const inWorkspace = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);
const optionsOf = (options: Options = {}): WriteOptions => ({
  actorMemberId: null,
  now,
  defaultRegion: 'US',
  authorize: undefined,
  ...options,
});

const toSave = ({ isOthers = false, ...item }: Item): RecordToSave => ({
  ...item,
  memberId: isOthers ? otherId : memberId,
});

const saveOne: Save = (type, item, options) =>
  inWorkspace(async (tx) => {
    await pinDataType(tx, type.id);
    return writeOneRecord(tx, optionsOf(options), type, toSave(item));
  }).catch((error) => {
    if (error instanceof DomainError) return error;
    throw error;
  });

const saveInBatch: Save = (type, item, options) =>
  inWorkspace(async (tx) => {
    await pinDataType(tx, type.id);
    const [saved] = await writeRecords(tx, optionsOf(options), type, [toSave(item)]);
    if (saved === undefined) throw new Error('the item has no outcome');
    return saved.status === 'failed' ? saved.reason : saved.record;
  });

const newType = (isCollection: boolean) =>
  createDataType(suite.workspace.context(), {
    name: 'Visits',
    slug: `visits-${randomTag()}`,
    isCollection,
    fields,
  });

/** What is stored for a type, without ids and times. */
const kept = (type: DataTypeRow) =>
  inWorkspace(async (tx) => {
    const ofType = tx('data_records').where({ data_type_id: type.id }).select('id');
    const [rows, changes, values, events] = await Promise.all([
      tx('data_records').where({ data_type_id: type.id }).orderBy('id'),
      tx('data_record_changes').whereIn('record_id', ofType.clone()).orderBy('id'),
      tx('data_record_values').whereIn('record_id', ofType.clone()).orderBy(['record_id', 'field']),
      tx('events').whereIn('data_record_id', ofType.clone()).orderBy('id').pluck('event_type'),
    ]);
    return {
      rows: rows.map((row) => ({
        memberId: row.member_id,
        externalId: row.external_id,
        fieldValues: row.field_values,
        accessMode: row.access_mode,
        isSingle: row.is_single,
        isRetired: row.is_retired,
      })),
      changes: changes.map(({ operation, before, after }) => ({ operation, before, after })),
      values: values.map(({ field, text_value, retired }) => ({ field, text_value, retired })),
      events,
    };
  });

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
        if (isRetired) await retireDataRecord(suite.workspace.context(), type.id, id, null);
      }
      const saved = await save(type, item, options);
      const refused = saved instanceof DomainError ? saved : undefined;
      return {
        refused: refused && { code: refused.code, message: refused.message, errors: refused.errors },
        stored: await kept(type),
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

    await inWorkspace(async (tx) => {
      await pinDataType(tx, type.id);
      const taken = { memberId, fieldValues: { reason: 'B', badge: 'one' } };
      await expect(writeOneRecord(tx, optionsOf(), type, taken)).rejects.toMatchObject({ code: 'duplicate' });
      await writeOneRecord(tx, optionsOf(), type, { memberId, fieldValues: { reason: 'B' } });
    });

    expect((await kept(type)).rows).toMatchObject([{ externalId: 'old' }, { fieldValues: { reason: 'B' } }]);
  });
});
