import { describe, expect, it } from 'vitest';
import { pinDataType } from '../../../../db/records/data-types.js';
import {
  type RecordToSave,
  writeRecords,
} from '../../../../domain/records/data-records/writing/write-records.js';
import { useApi } from '../../../support/api/use-api.js';
import { addRecordType } from '../../../support/records/use-records.js';

const { workspace, asAdmin } = useApi();

const badge = { slug: 'badge', name: 'Badge', fieldType: 'text', unique: true };
const number = { slug: 'number', name: 'Number', fieldType: 'integer', unique: true };
const note = { slug: 'note', name: 'Note', fieldType: 'text' };

const newType = (fields = [badge, number, note]) => addRecordType(workspace, true, fields);
const post = (path: string, fieldValues: object, rest = {}) =>
  asAdmin('POST', path, { fieldValues, ...rest });
const write = (id: number, items: RecordToSave[]) =>
  workspace.within(async (tx) => {
    const type = await pinDataType(tx, id);
    if (type === undefined) throw new Error('there is no such type');
    const { memberId: actorMemberId } = workspace.admin;
    const terms = { fileGiver: null, now: new Date(), defaultRegion: 'US', authorize: undefined };
    const writer = { actorMemberId, ...terms };
    return writeRecords(tx, writer, type, items);
  });
const taken = (...pointers: string[]) => ({
  status: 400,
  body: { code: 'duplicate', errors: pointers.map((pointer) => ({ pointer })) },
});

describe('a unique field value', () => {
  it('is refused for a second record in any equivalent spelling, with a pointer to each field', async () => {
    const { path } = await newType();
    await post(path, { badge: 'Alpha 1', number: 7 });

    expect(await post(path, { badge: ' ALPHA  1' })).toMatchObject(taken('/fieldValues/badge'));
    expect(await post(path, { badge: 'alpha 1', number: 7 })).toMatchObject(
      taken('/fieldValues/badge', '/fieldValues/number'),
    );
    expect((await asAdmin('GET', path)).body.total).toBe(1);
    expect((await post(path, { badge: 'Alpha 2', number: 8 })).status).toBe(201);
  });

  it('may be missing in any number of records', async () => {
    const { path } = await newType();

    for (const values of [{ note: 'x' }, { note: 'x' }, { badge: 'Beta' }]) {
      expect((await post(path, values)).status).toBe(201);
    }
  });

  it('is unique per data type and workspace', async () => {
    const [one, other] = [await newType(), await newType()];
    expect((await post(one.path, { badge: 'Gamma' })).status).toBe(201);
    expect((await post(other.path, { badge: 'Gamma' })).status).toBe(201);
  });

  it('is compared in full length', async () => {
    const { path } = await newType();
    const long = 'x'.repeat(900);
    expect((await post(path, { badge: `${long}a` })).status).toBe(201);
    expect((await post(path, { badge: `${long}b` })).status).toBe(201);
    expect(await post(path, { badge: `${long}A` })).toMatchObject(taken('/fieldValues/badge'));
  });

  it('is refused on update, and free after its record changes or is deleted', async () => {
    const { path } = await newType();
    const first = (await post(path, { badge: 'One' })).body.id;
    const second = (await post(path, { badge: 'Two', note: 'before' })).body.id;
    const put = (id: number, fieldValues: object) => asAdmin('PUT', `${path}/${id}`, { fieldValues });

    expect(await put(second, { badge: 'one', note: 'after' })).toMatchObject(taken('/fieldValues/badge'));
    const { body } = await asAdmin('GET', `${path}/${second}`);
    expect(body.fieldValues).toEqual({ badge: 'Two', note: 'before' });
    expect((await put(second, { badge: 'TWO' })).status).toBe(200);
    expect((await put(first, { badge: 'Three' })).status).toBe(200);
    expect((await put(second, { badge: 'One' })).status).toBe(200);
    await asAdmin('DELETE', `${path}/${first}`);
    expect((await post(path, { badge: 'Three' })).status).toBe(201);
  });

  it('is stored for one of fifty concurrent requests', async () => {
    const { path } = await newType();

    const answers = await Promise.all(Array.from({ length: 50 }, () => post(path, { badge: 'Wanted' })));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject(taken('/fieldValues/badge'));
    }
    expect((await asAdmin('GET', path)).body.total).toBe(1);
  });

  it('fails only the records of a batch whose value is taken', async () => {
    const { id, path } = await newType();
    const { id: held } = (await post(path, { badge: 'Held' }, { externalId: 'held' })).body;
    await post(path, { badge: 'Kept' }, { externalId: 'kept' });
    const { memberId } = workspace.admin;
    const items = [
      { externalId: 'a', fieldValues: { badge: 'Free' } },
      { externalId: 'b', fieldValues: { badge: 'HELD' } },
      { externalId: 'c', fieldValues: { badge: 'Same', number: 1 } },
      { externalId: 'd', fieldValues: { badge: 'same', number: 2 } },
      { externalId: 'kept', fieldValues: { badge: 'held', note: 'lost' } },
      { externalId: 'held', fieldValues: { note: 'mine' } },
    ].map((item) => ({ ...item, memberId }));

    const saved = await write(id, items);

    const statuses = saved.map(({ status }) => status);
    expect(statuses).toEqual(['created', 'failed', 'created', 'failed', 'failed', 'updated']);
    expect(saved[1]).toMatchObject({ code: 'duplicate', errors: [{ pointer: '/fieldValues/badge' }] });
    const { items: stored } = (await asAdmin('GET', `${path}?sortBy=field:badge`)).body;
    expect(stored.map((record: { fieldValues: object }) => record.fieldValues)).toEqual([
      { badge: 'Free' },
      { badge: 'Held', note: 'mine' },
      { badge: 'Kept' },
      { badge: 'Same', number: 1 },
    ]);
    expect(stored[1].id).toBe(held);
    const changes = await workspace.within(async (tx) =>
      tx('data_record_changes').whereIn(
        'record_id',
        tx('data_records').where({ data_type_id: id }).select('id'),
      ),
    );
    expect(changes).toHaveLength(5);
  });

  it('blocks updates of a record whose value another record holds too, without a lock wait', async () => {
    const { path } = await newType();
    const { id } = (await post(path, { badge: 'Twice' })).body;
    // Delete the stored comparison value, as if another version of the service had written it differently.
    await workspace.within((tx) => tx('data_record_values').where({ record_id: id }).delete());
    await post(path, { badge: 'twice' });

    const put = (fieldValues: object) => asAdmin('PUT', `${path}/${id}`, { fieldValues });

    expect(await put({ note: 'x' })).toMatchObject(taken('/fieldValues/badge'));
    expect((await put({ note: 'x', badge: 'Once' })).status).toBe(200);
  });

  it('is stored once by concurrent batches in different orders, without a deadlock', async () => {
    const { id, path } = await newType();
    const { memberId } = workspace.admin;
    const items = Array.from({ length: 40 }, (_, index) => {
      return { memberId, fieldValues: { badge: `Badge ${index}`, number: 40 - index } };
    });

    const saved = await Promise.all(
      Array.from({ length: 6 }, (_, index) => write(id, index % 2 === 0 ? items : items.toReversed())),
    );

    expect(saved.flat().filter(({ status }) => status === 'created')).toHaveLength(40);
    expect((await asAdmin('GET', path)).body.total).toBe(40);
  });

  it('is free while its record is retired, and checked again on restore', async () => {
    const { path } = await newType();
    const { id } = (await post(path, { badge: 'Retired' })).body;
    expect((await asAdmin('POST', `${path}/${id}/retire`, {})).status).toBe(200);

    const other = await post(path, { badge: 'retired' });
    expect(other.status).toBe(201);
    const list = async (query = '') => (await asAdmin('GET', `${path}?filter=badge:eq:retired${query}`)).body;
    expect((await list()).items).toMatchObject([{ id: other.body.id }]);
    expect((await list('&retired=true')).items).toMatchObject([{ id }]);
    expect((await list('&retired=all')).total).toBe(2);
    expect(await asAdmin('POST', `${path}/${id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'record_value_taken', errors: [{ pointer: '/fieldValues/badge' }] },
    });

    await asAdmin('DELETE', `${path}/${other.body.id}`);
    expect((await asAdmin('POST', `${path}/${id}/restore`)).status).toBe(200);
    expect(await post(path, { badge: 'RETIRED' })).toMatchObject(taken('/fieldValues/badge'));
  });
});

describe('making a field unique', () => {
  const plain = [{ ...badge, unique: false }, note];
  const change = (id: number, fields: object[]) => asAdmin('PUT', `/data-types/${id}`, { fields });

  it('is refused with the number of conflicting records', async () => {
    const { id, path } = await newType(plain);
    for (const value of ['A', 'a', 'A ', 'b', 'c', 'C']) await post(path, { badge: value });

    const answer = await change(id, [badge, note]);

    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'records_would_break', errors: [{ pointer: '/fields' }] },
    });
    expect(answer.body.detail).toMatch(/^3 records/);
    expect((await asAdmin('GET', `/data-types/${id}`)).body.fields).toEqual(plain);
    expect((await post(path, { badge: 'B' })).status).toBe(201);
  });

  it('takes effect at once, and ends when the field is no longer unique', async () => {
    const { id, path } = await newType(plain);
    for (const value of ['A', 'B']) await post(path, { badge: value });
    expect((await change(id, [badge, note])).status).toBe(200);
    expect(await post(path, { badge: 'a' })).toMatchObject(taken('/fieldValues/badge'));
    expect((await change(id, plain)).status).toBe(200);
    expect((await post(path, { badge: 'a' })).status).toBe(201);
  });

  it('waits for concurrent record writes', async () => {
    const { id, path } = await newType(plain);
    await post(path, { badge: 'Twice' });

    const [changed, ...written] = await Promise.all([
      change(id, [badge, note]),
      ...Array.from({ length: 10 }, () => post(path, { badge: 'Twice' })),
    ]);

    const created = written.filter(({ status }) => status === 201).length;
    expect(changed.status).toBe(created === 0 ? 200 : 400);
    expect((await asAdmin('GET', path)).body.total).toBe(created + 1);
  });
});
