import { beforeEach, describe, expect, it } from 'vitest';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { Forbidden } from '../../../../domain/lib/errors.js';
import {
  type RecordToSave,
  type SavedRecord,
  type WriteOptions,
  writeRecords,
} from '../../../../domain/records/data-records/writing/write-records.js';
import { optionsOf, useWriting } from './use-writing.js';

const { members, newMember, newType, writing, kept } = useWriting([
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'since', name: 'Since', fieldType: 'date' },
]);
let single: DataTypeRow;
let collection: DataTypeRow;
beforeEach(async () => {
  single = await newType(false);
  collection = await newType(true);
});

const save = (type: DataTypeRow, items: RecordToSave[], writer?: Partial<WriteOptions>) =>
  writing(type, (tx) => writeRecords(tx, optionsOf(writer), type, items));
const theirs = () => ({ memberId: members.otherId });
const statuses = (saved: SavedRecord[]) => saved.map(({ status }) => status);
const idsOf = (saved: SavedRecord[]) => saved.map((one) => ('record' in one ? one.record.id : null));
const item = (reason: string, more: Partial<RecordToSave> = {}): RecordToSave => ({
  memberId: members.memberId,
  fieldValues: { reason },
  ...more,
});

describe('writeRecords', () => {
  it('stores records with their history and events, and returns a status for each', async () => {
    const saved = await save(collection, [item('A', { externalId: 'a' }), item('B', theirs())]);

    expect(statuses(saved)).toEqual(['created', 'created']);
    const { rows, changes, events } = await kept(collection);
    expect(rows).toMatchObject([
      { id: idsOf(saved)[0], external_id: 'a', member_id: members.memberId, field_values: { reason: 'A' } },
      { id: idsOf(saved)[1], external_id: null, member_id: members.otherId, field_values: { reason: 'B' } },
    ]);
    expect(changes).toEqual([
      { operation: 'created', before: null, after: { reason: 'A' } },
      { operation: 'created', before: null, after: { reason: 'B' } },
    ]);
    const both = ['data_record:created', 'data_record:changed'];
    expect(events).toEqual([...both, ...both]);
  });

  it('returns rows as they are in the database', async () => {
    const [saved] = await save(collection, [item('A', { externalId: 'a', accessMode: 1 })]);

    const [row] = (await kept(collection)).rows;
    expect(saved).toMatchObject({
      record: {
        uuid: row.uuid,
        accessMode: row.access_mode,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        isSingle: row.is_single,
      },
    });
  });

  it('updates known records, and writes no history when nothing changes', async () => {
    await save(collection, [item('A', { externalId: 'a' }), item('B', { externalId: 'b' })]);

    const saved = await save(collection, [item('A', { externalId: 'a' }), item('New', { externalId: 'b' })]);

    expect(statuses(saved)).toEqual(['unchanged', 'updated']);
    const { changes, events } = await kept(collection);
    expect(changes.slice(2)).toEqual([
      { operation: 'updated', before: { reason: 'B' }, after: { reason: 'New' } },
    ]);
    expect(events.slice(4)).toEqual(['data_record:updated', 'data_record:changed']);
  });

  it('applies several items for one record in order', async () => {
    const items = [
      item('A', { externalId: 'a' }),
      item('B', { externalId: 'a', fieldValues: { since: '2024-01-01' } }),
      item('A', { externalId: 'a' }),
      item('C', { externalId: 'a' }),
    ];

    const saved = await save(collection, items);

    expect(statuses(saved)).toEqual(['created', 'updated', 'unchanged', 'updated']);
    expect(new Set(idsOf(saved)).size).toBe(1);
    const { rows, changes } = await kept(collection);
    expect(rows).toMatchObject([{ field_values: { reason: 'C', since: '2024-01-01' } }]);
    expect(changes.map(({ after }) => after)).toEqual([
      { reason: 'A' },
      { reason: 'A', since: '2024-01-01' },
      { reason: 'C', since: '2024-01-01' },
    ]);
  });

  it('updates the single record of a member, which takes over the external id', async () => {
    const [first] = await save(single, [item('A', { externalId: 'old' })]);
    const [second] = await save(single, [item('B', { externalId: 'new' })]);
    const [third] = await save(single, [item('C')]);
    const [other] = await save(single, [item('D', { externalId: 'old', ...theirs() })]);

    expect(statuses([second, third, other].filter((one) => one !== undefined))).toEqual([
      'updated',
      'updated',
      'created',
    ]);
    expect(second).toMatchObject({ record: { id: first && idsOf([first])[0], externalId: 'new' } });
    expect(third).toMatchObject({ record: { externalId: 'new' } });
    expect((await kept(single)).rows).toHaveLength(2);
  });

  it('frees an external id for another item of the same call', async () => {
    await save(single, [item('A', { externalId: 'old' })]);

    const saved = await save(single, [
      item('B', { externalId: 'new' }),
      item('C', { externalId: 'old', ...theirs() }),
    ]);

    expect(statuses(saved)).toEqual(['updated', 'created']);
  });

  it('rejects each invalid item by itself, and writes the others', async () => {
    await save(collection, [item('A', { externalId: 'theirs', ...theirs() })]);

    const saved = await save(collection, [
      item('B'),
      item('', { fieldValues: { since: 'soon' } }),
      item('C', { externalId: 'theirs' }),
      item('D'),
    ]);

    expect(saved).toMatchObject([
      { status: 'created' },
      { status: 'failed', errors: [{ pointer: '/fieldValues/reason' }, { pointer: '/fieldValues/since' }] },
      { status: 'failed', code: 'duplicate', errors: [{ pointer: '/externalId' }] },
      { status: 'created' },
    ]);
    expect((await kept(collection)).rows).toHaveLength(3);
  });

  it('updates the record of another member by its external id when the request names no member', async () => {
    await save(collection, [item('A', { externalId: 'theirs', ...theirs() })]);

    const [saved] = await save(collection, [item('B', { externalId: 'theirs', memberIsDefault: true })]);

    expect(saved).toMatchObject({ status: 'updated', record: theirs() });
  });

  it('calls authorize for each item with the existing record', async () => {
    await save(collection, [item('A', { externalId: 'a' })]);
    const asked: unknown[] = [];
    const authorize: WriteOptions['authorize'] = (_, found) => {
      asked.push(found?.by);
      if (found !== undefined) throw new Forbidden('records:write');
    };

    const saved = await save(collection, [item('B', { externalId: 'a' }), item('C')], { authorize });

    expect(asked).toEqual(['externalId', undefined]);
    expect(saved).toMatchObject([{ status: 'failed', code: 'forbidden' }, { status: 'created' }]);
  });

  it('rolls everything back on an unexpected error', async () => {
    const authorize = () => {
      throw new RangeError('a bug');
    };
    await expect(save(collection, [item('A')], { authorize })).rejects.toThrow('a bug');
    expect((await kept(collection)).rows).toEqual([]);
  });

  it('writes a thousand records in a few statements', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) =>
      item(`Day ${index}`, { externalId: `v-${index}` }),
    );

    const saved = await save(collection, items);

    expect(new Set(statuses(saved))).toEqual(new Set(['created']));
    const { rows, changes, events } = await kept(collection);
    expect([rows.length, changes.length, events.length]).toEqual([1_000, 1_000, 2_000]);
  });
});

describe('concurrent writes of records', () => {
  const atOnce = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  // In the first round, connections are still being opened, and arrive one after the other.
  it.each([1, 2, 3])('create one record from fifty upserts on one external id (%i)', async () => {
    const all = await atOnce(50, (index) => save(collection, [item(`Day ${index}`, { externalId: 'one' })]));

    expect(statuses(all.flat()).sort()).toEqual(['created', ...Array(49).fill('updated')]);
    const { rows, changes } = await kept(collection);
    expect(rows).toHaveLength(1);
    // Each change began with the result of the one before.
    expect(changes.slice(1).map(({ before }) => before)).toEqual(
      changes.slice(0, -1).map(({ after }) => after),
    );
  });

  it('create one record from fifty writes for a member in a type with a single record', async () => {
    const all = await atOnce(50, (index) =>
      save(single, [item(`Day ${index}`, index % 2 === 0 ? {} : { externalId: `id-${index}` })]),
    );
    expect(statuses(all.flat()).filter((status) => status === 'created')).toHaveLength(1);
    expect((await kept(single)).rows).toHaveLength(1);
  });

  it('give an external id to one of two members that claim it', async () => {
    const all = await atOnce(20, (index) =>
      save(collection, [item('A', { externalId: 'one', ...(index % 2 === 0 ? {} : theirs()) })]),
    );

    const { rows } = await kept(collection);
    expect(rows).toHaveLength(1);
    const failed = all.flat().filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(10);
    expect(failed).toMatchObject(Array(10).fill({ errors: [{ pointer: '/externalId' }] }));
  });

  it('succeed for batches with the same external ids in different orders', async () => {
    const count = 200;
    const all = await atOnce(6, (round) => {
      const items = Array.from({ length: count }, (_, index) =>
        item(`Round ${round}`, { externalId: `v-${(index * 7 + round * 31) % count}` }),
      );
      return save(collection, round % 2 === 0 ? items : items.reverse());
    });

    const outcomes = statuses(all.flat());
    expect(outcomes.filter((status) => status === 'created')).toHaveLength(count);
    expect(outcomes.filter((status) => status === 'updated')).toHaveLength(5 * count);
    expect((await kept(collection)).rows).toHaveLength(count);
  });

  it('succeed for batches about the same members in different orders', async () => {
    const members = await newMembers(100);
    const all = await atOnce(6, (round) => {
      const items = members.map((id, place) =>
        item(`Round ${round}`, { memberId: id, externalId: `v-${round}-${(place * 7) % 100}` }),
      );
      return save(single, round % 2 === 0 ? items : items.reverse());
    });

    expect(statuses(all.flat()).filter((status) => status === 'created')).toHaveLength(100);
    expect((await kept(single)).rows).toHaveLength(100);
  });

  it('succeed for batches that would deadlock', async () => {
    // Records are locked by member. What one batch gives first, the other gives last, to another member.
    const count = 300;
    const members = await newMembers(2 * count);
    const claim = (ids: number[], externalIdOf: (place: number) => string) =>
      save(
        single,
        ids.map((id, place) => item('A', { memberId: id, externalId: externalIdOf(place) })),
      );

    const [one, two] = await Promise.all([
      claim(members.slice(0, count), (place) => `v-${place}`),
      claim(members.slice(count), (place) => `v-${count - 1 - place}`),
    ]);

    const outcomes = [...one, ...two];
    expect(statuses(outcomes).filter((status) => status === 'created')).toHaveLength(count);
    expect(outcomes.filter((saved) => saved.status === 'failed' && saved.code === 'duplicate')).toHaveLength(
      count,
    );
    expect((await kept(single)).rows).toHaveLength(count);
  });
});

async function newMembers(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await newMember());
  return ids.sort((one, other) => one - other);
}
