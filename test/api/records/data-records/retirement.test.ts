import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Tx } from '../../../../db/tx.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { addRecordType, type TestType, useRecords } from '../../../support/records/use-records.js';

const suite = useRecords();
const { workspace, asAdmin, asMember } = suite;
const fever = { fieldValues: { reason: 'Fever' } };

const create = async (type: TestType, externalId?: string): Promise<number> =>
  (await suite.create(type, { memberId: workspace.member.memberId, externalId })).id;
const retire = (type: TestType, id: number, body: object = {}, call = asAdmin) =>
  call('POST', `${type.path}/${id}/retire`, body);
const restore = (type: TestType, id: number) => asAdmin('POST', `${type.path}/${id}/restore`);
const changesOf = async (id: number) =>
  (await asAdmin('GET', `${suite.collection.path}/${id}/changes`)).body.items;

describe('retiring a record', () => {
  it('stores time, actor and reason, and adds a change entry', async () => {
    const id = await create(suite.collection);

    const answer = await retire(suite.collection, id, { reason: 'Entered twice.' });

    const fieldValues = { reason: 'Cough' };
    const retirement = {
      retiredAt: expect.any(String),
      retiredByMemberId: workspace.admin.memberId,
      reason: 'Entered twice.',
    };
    expect(answer).toMatchObject({ status: 200, body: { id, retirement, fieldValues } });
    expect((await asAdmin('GET', `${suite.collection.path}/${id}`)).body).toEqual(answer.body);
    const [change] = await changesOf(id);
    expect(change).toMatchObject({ operation: 'retired', before: fieldValues, after: fieldValues });
    expect((await suite.eventsOf(id)).slice(2)).toEqual(['data_record:updated', 'data_record:changed']);
  });

  it('is allowed for own records, and without a reason', async () => {
    const answer = await retire(suite.collection, await create(suite.collection), {}, asMember);

    const retirement = { retiredByMemberId: workspace.member.memberId, reason: null };
    expect(answer).toMatchObject({ status: 200, body: { retirement } });
  });

  it('changes nothing the second time', async () => {
    const id = await create(suite.collection);
    const first = await retire(suite.collection, id, { reason: 'Entered twice.' });

    const second = await retire(suite.collection, id, { reason: 'Other.' }, asMember);

    expect(second.body).toEqual(first.body);
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(2);
  });

  it('removes the record from lists and counts', async () => {
    await retire(suite.collection, await create(suite.collection));
    expect((await asAdmin('GET', suite.collection.path)).body).toMatchObject({ total: 0, items: [] });
    const query = { member_id: workspace.member.memberId };
    const counts = await asAdmin('GET', '/data-types/member-record-counts', undefined, query);
    expect(counts.body.counts[suite.collection.id]).toBe(0);
  });

  it.each(['/{id}', '?externalId=visit-1'])('makes the record reject updates at %s', async (place) => {
    const id = await create(suite.collection, 'visit-1');
    await retire(suite.collection, id);

    const answer = await asAdmin('PUT', suite.collection.path + place.replace('{id}', String(id)), fever);

    expect(answer).toMatchObject({ status: 409, body: { code: 'record_retired' } });
  });

  it.each(['create', 'upsert', 'bulk'])('is undone by writing its external id: %s', async (how) => {
    const id = await create(suite.collection, 'visit-1');
    await retire(suite.collection, id);
    const { path } = suite.collection;
    const named = { ...fever, externalId: 'visit-1' };

    if (how === 'create') await asAdmin('POST', path, named);
    else if (how === 'bulk') await asAdmin('POST', `${path}/bulk`, { records: [named] });
    else await asAdmin('POST', `/data-types/${suite.collection.id}/upsert/visit-1`, fever);

    const { retirement = null, fieldValues } = (await asAdmin('GET', `${path}/${id}`)).body;
    expect({ retirement, fieldValues }).toEqual({ retirement: null, ...fever });
  });

  it.each([
    ['a reason that is too long', { reason: 'x'.repeat(2_001) }, ['/reason']],
    ['an unknown property', { why: 'x' }, ['/why']],
  ])('is refused with %s', async (_, body, pointers) => {
    const answer = await retire(suite.collection, await create(suite.collection), body);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });
});

it.each(['retiring', 'deleting'])(
  '%s a record frees the member’s place in a single-record type',
  async (how) => {
    const old = await create(suite.single);
    if (how === 'retiring') await retire(suite.single, old);
    else await asAdmin('DELETE', `${suite.single.path}/${old}`);

    const answer = await asMember('POST', suite.single.path, fever);

    expect(answer.status).toBe(201);
    expect(answer.body.id).not.toBe(old);
  },
);

describe('restoring a record', () => {
  it('returns the record unchanged', async () => {
    const id = await create(suite.collection, 'visit-1');
    await retire(suite.collection, id);

    const answer = await restore(suite.collection, id);

    expect(answer).toMatchObject({ status: 200, body: { id, externalId: 'visit-1' } });
    expect(answer.body).not.toHaveProperty('retirement');
    expect((await asAdmin('GET', suite.collection.path)).body.total).toBe(1);
    const operations = ['restored', 'retired', 'created'].map((operation) => ({ operation }));
    expect(await changesOf(id)).toMatchObject(operations);
    expect(await suite.eventsOf(id)).toHaveLength(6);
  });

  it('changes nothing on a record that is not retired', async () => {
    const id = await create(suite.collection);
    expect(await restore(suite.collection, id)).toMatchObject({ status: 200, body: { id } });
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(1);
  });

  it('returns 409 while another record has the member’s place', async () => {
    const old = await create(suite.single);
    await retire(suite.single, old);
    await create(suite.single);

    const answer = await restore(suite.single, old);

    expect(answer).toMatchObject({ status: 409, body: { code: 'record_place_taken' } });
  });
});

describe('deleting a record', () => {
  const post = (path: string, key: string, body: unknown) =>
    suite.api.request('POST', workspace.path(path), {
      apiKey: workspace.admin.apiKey,
      body,
      headers: { 'Idempotency-Key': key },
    });
  const answersWith = (text: string) =>
    workspace.within(async (tx) =>
      tx('idempotency_keys').where('answer', 'like', `%${text}%`).pluck('operation'),
    );

  it('removes all its content, including stored idempotent answers', async () => {
    const secret = `Said once ${randomUUID()}`;
    const [createKey, upsertKey] = [randomUUID(), randomUUID()];
    const fieldValues = { reason: secret };
    const { path } = suite.collection;
    const created = () => post(path, createKey, { fieldValues, externalId: 'visit-1' });
    const upserted = () =>
      post(`/data-types/${suite.collection.id}/upsert/visit-1`, upsertKey, { fieldValues });
    const { id } = (await created()).body;
    await upserted();
    expect(await answersWith(secret)).toHaveLength(2);

    const answer = await asAdmin('DELETE', `${path}/${id}`);

    expect(answer).toMatchObject({ status: 200, body: { status: 'deleted' } });
    expect((await asAdmin('GET', `${path}/${id}`)).status).toBe(404);
    expect(await answersWith(secret)).toEqual([]);
    expect(await suite.eventsOf(id)).toEqual([]);
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(0);
    for (const replay of [await created(), await upserted()]) {
      expect(replay).toMatchObject({ status: 409, body: { code: 'idempotency_answer_not_kept' } });
      expect(replay.body.detail).toContain('deleted');
      expect(replay.body.detail).toContain(String(id));
    }
  });

  it('keeps stored answers about other records, and about other resources with the same id', async () => {
    const key = randomUUID();
    const { path } = suite.collection;
    const { id } = (await post(path, randomUUID(), fever)).body;
    const other = await post(path, key, fever);
    const answer = JSON.stringify({ id });
    await workspace.within(async (tx) => {
      await tx('idempotency_keys').where({ resource_id: other.body.id }).update({ answer });
    });

    await asAdmin('DELETE', `${path}/${id}`);

    expect((await post(path, key, fever)).status).toBe(201);
  });

  it('deletes a retired record too', async () => {
    const id = await create(suite.collection);
    await retire(suite.collection, id);

    const answer = await asAdmin('DELETE', `${suite.collection.path}/${id}`);

    expect(answer).toMatchObject({ status: 200, body: { status: 'deleted' } });
  });
});

describe('concurrent changes, retirement and deletion', () => {
  it('never change a record after its retirement', async () => {
    const rounds = Array.from({ length: 10 }, async () => {
      const id = await create(suite.collection);
      const path = `${suite.collection.path}/${id}`;
      const [retired, ...changed] = await Promise.all([
        retire(suite.collection, id),
        ...['A', 'B', 'C'].map((reason) => asAdmin('PUT', path, { fieldValues: { reason } })),
      ]);
      expect(retired.status).toBe(200);
      for (const { status } of changed) expect([200, 409]).toContain(status);
      const items = await changesOf(id);
      expect(items[0].operation).toBe('retired');
      expect(items).toHaveLength(2 + changed.filter(({ status }) => status === 200).length);
    });
    await Promise.all(rounds);
  });

  it('give the member’s place to one request, a restore or a creation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { memberId } = workspace.member;
      const old = await create(suite.single);
      await retire(suite.single, old);

      const [restored, ...created] = await Promise.all([
        restore(suite.single, old),
        ...Array.from({ length: 4 }, () => asAdmin('POST', suite.single.path, { ...fever, memberId })),
      ]);

      expect([200, 409]).toContain(restored.status);
      for (const { status } of created) expect([201, 400]).toContain(status);
      const taken = [restored, ...created].filter(({ status }) => status === 200 || status === 201);
      expect(taken).toHaveLength(1);
      await retire(suite.single, taken[0]?.body.id);
    }
  });

  it('delete a record once, and later requests return 404', async () => {
    const path = `${suite.collection.path}/${await create(suite.collection)}`;

    const [deleted, again, ...changed] = await Promise.all([
      asAdmin('DELETE', path),
      asAdmin('DELETE', path),
      ...['A', 'B', 'C', 'D'].map((reason) => asAdmin('PUT', path, { fieldValues: { reason } })),
    ]);

    expect([deleted.status, again.status].sort()).toEqual([200, 404]);
    for (const { status } of changed) expect([200, 404]).toContain(status);
    expect((await asAdmin('GET', path)).status).toBe(404);
  });
});

describe('a record whose values a concurrent transaction locks', () => {
  const fields = ['a', 'b'].map((slug) => ({ slug, name: slug, fieldType: 'text', unique: true }));
  const newRecord = async () => {
    const type = await addRecordType(workspace, true, fields);
    return { type, id: (await suite.create(type, { fieldValues: { a: 'x', b: 'y' } })).id };
  };

  /** Writes a value of a record as `saveSearchableValues` stores it. */
  const storeValue = (tx: Tx, type: TestType, recordId: number, field: string, text: string) =>
    tx('data_record_values').insert({
      workspace_id: workspace.workspaceId,
      data_type_id: type.id,
      record_id: recordId,
      retired: false,
      is_unique: true,
      field,
      text_value: text,
    });

  it('is deleted after a change of its type that rewrites its values', async () => {
    const { id, type } = await newRecord();

    const deleting = await workspace.within(async (tx) => {
      await tx('data_types').where({ id: type.id }).forUpdate();
      await tx('data_record_values').where({ data_type_id: type.id, field: 'a' }).delete();
      const deletion = asAdmin('DELETE', `${type.path}/${id}`);
      await whenWaitedFor(tx);
      await storeValue(tx, type, id, 'a', 'x');
      return { deletion };
    });

    expect((await deleting.deletion).status).toBe(200);
    expect(await suite.countRows('data_record_values', { record_id: id })).toBe(0);
  });

  it('is restored although the other locks its unique values in another order', async () => {
    const { id, type } = await newRecord();
    const other = (await suite.create(type, { fieldValues: {} })).id;
    await retire(type, id);

    let restoring: ReturnType<typeof restore> | undefined;
    const wanted = workspace.within(async (tx) => {
      await storeValue(tx, type, other, 'b', 'y');
      restoring = restore(type, id);
      await whenWaitedFor(tx);
      // After a second, PostgreSQL aborts a waiting transaction: the restore or, on a slow machine, this one.
      await storeValue(tx, type, other, 'a', 'x');
      throw new Error('the other does without');
    });

    await expect(wanted).rejects.toThrow();
    expect(await restoring).toMatchObject({ status: 200, body: { fieldValues: { a: 'x', b: 'y' } } });
  });
});
