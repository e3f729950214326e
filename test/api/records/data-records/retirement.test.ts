import { describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { type TestType, useRecords } from '../../../support/records/use-records.js';

const suite = useRecords();
const create = async (type: TestType, externalId?: string): Promise<number> => {
  const { memberId } = suite.workspace.member;
  const body = { fieldValues: { reason: 'Cough' }, memberId, externalId };
  return (await suite.asAdmin('POST', type.path, body)).body.id;
};
const retire = (type: TestType, id: number, body: object = {}) =>
  suite.asAdmin('POST', `${type.path}/${id}/retire`, body);
const restore = (type: TestType, id: number) => suite.asAdmin('POST', `${type.path}/${id}/restore`);

describe('retiring a record', () => {
  it('stores time, actor and reason, and adds a change entry', async () => {
    const id = await create(suite.collection);

    const answer = await retire(suite.collection, id, { reason: 'Entered twice.' });

    const retirement = {
      retiredAt: expect.any(String),
      retiredByMemberId: suite.workspace.admin.memberId,
      reason: 'Entered twice.',
    };
    expect(answer).toMatchObject({ status: 200, body: { id, retirement, fieldValues: { reason: 'Cough' } } });
    expect((await suite.asAdmin('GET', `${suite.collection.path}/${id}`)).body).toEqual(answer.body);
    expect(
      (await suite.asAdmin('GET', `${suite.collection.path}/${id}/changes`)).body.items[0],
    ).toMatchObject({
      operation: 'retired',
      before: { reason: 'Cough' },
      after: { reason: 'Cough' },
    });
    expect((await suite.eventsOf(id)).slice(2)).toEqual(['data_record:updated', 'data_record:changed']);
  });

  it('is allowed for own records, and without a reason', async () => {
    const id = await create(suite.collection);

    const answer = await suite.asMember('POST', `${suite.collection.path}/${id}/retire`, {});

    expect(answer).toMatchObject({
      status: 200,
      body: { retirement: { retiredByMemberId: suite.workspace.member.memberId, reason: null } },
    });
  });

  it('changes nothing the second time', async () => {
    const id = await create(suite.collection);
    const first = await retire(suite.collection, id, { reason: 'Entered twice.' });

    const second = await suite.asMember('POST', `${suite.collection.path}/${id}/retire`, {
      reason: 'Other.',
    });

    expect(second.body).toEqual(first.body);
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(2);
  });

  it('removes the record from lists and counts', async () => {
    const id = await create(suite.collection);
    await retire(suite.collection, id);

    expect((await suite.asAdmin('GET', suite.collection.path)).body).toMatchObject({ total: 0, items: [] });
    const { memberId } = suite.workspace.member;
    const counts = await suite.asAdmin('GET', '/data-types/member-record-counts', undefined, {
      member_id: memberId,
    });
    expect(counts.body.counts[suite.collection.id]).toBe(0);
  });

  it('makes the record reject updates', async () => {
    const id = await create(suite.collection, 'visit-1');
    await retire(suite.collection, id);
    const { path } = suite.collection;
    const body = { fieldValues: { reason: 'Fever' } };

    const answers = [
      await suite.asAdmin('PUT', `${path}/${id}`, body),
      await suite.asAdmin('PUT', `${path}?externalId=visit-1`, body),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'record_retired' } });
    }
  });

  it.each(['create', 'upsert', 'bulk'])('is undone by writing its external id: %s', async (how) => {
    const id = await create(suite.collection, 'visit-1');
    await retire(suite.collection, id);
    const { path } = suite.collection;
    const body = { fieldValues: { reason: 'Fever' } };
    const named = { ...body, externalId: 'visit-1' };

    if (how === 'create') await suite.asAdmin('POST', path, named);
    else if (how === 'bulk') await suite.asAdmin('POST', `${path}/bulk`, { records: [named] });
    else await suite.asAdmin('POST', `/data-types/${suite.collection.id}/upsert/visit-1`, body);

    const { retiredAt, fieldValues } = (await suite.asAdmin('GET', `${path}/${id}`)).body;
    expect([retiredAt ?? null, fieldValues]).toMatchObject([null, { reason: 'Fever' }]);
  });

  it('frees the member’s place in a single-record type', async () => {
    const old = await create(suite.single);
    await retire(suite.single, old);

    const { memberId } = suite.workspace.member;
    const answer = await suite.asAdmin('POST', suite.single.path, {
      fieldValues: { reason: 'New' },
      memberId,
    });

    expect(answer.status).toBe(201);
    expect(answer.body.id).not.toBe(old);
  });

  it.each([
    ['a reason that is too long', { reason: 'x'.repeat(2_001) }, ['/reason']],
    ['an unknown property', { why: 'x' }, ['/why']],
  ])('is refused with %s', async (_, body, pointers) => {
    const answer = await retire(suite.collection, await create(suite.collection), body);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, pointers]);
  });
});

describe('restoring a record', () => {
  it('returns the record unchanged', async () => {
    const id = await create(suite.collection, 'visit-1');
    await retire(suite.collection, id);

    const answer = await restore(suite.collection, id);

    expect(answer).toMatchObject({ status: 200, body: { id, externalId: 'visit-1' } });
    expect(answer.body).not.toHaveProperty('retirement');
    expect((await suite.asAdmin('GET', suite.collection.path)).body.total).toBe(1);
    const changes = await suite.asAdmin('GET', `${suite.collection.path}/${id}/changes`);
    expect(changes.body.items.map(({ operation }: { operation: string }) => operation)).toEqual([
      'restored',
      'retired',
      'created',
    ]);
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

    expect(await restore(suite.single, old)).toMatchObject({
      status: 409,
      body: { code: 'record_place_taken' },
    });
  });
});

describe('concurrent changes and retirement', () => {
  it('never change a record after its retirement', async () => {
    const rounds = Array.from({ length: 10 }, async () => {
      const id = await create(suite.collection);
      const path = `${suite.collection.path}/${id}`;
      const [retired, ...changed] = await Promise.all([
        retire(suite.collection, id),
        ...['A', 'B', 'C'].map((reason) => suite.asAdmin('PUT', path, { fieldValues: { reason } })),
      ]);
      expect(retired.status).toBe(200);
      for (const { status } of changed) expect([200, 409]).toContain(status);
      const { items } = (await suite.asAdmin('GET', `${path}/changes`)).body;
      expect(items[0].operation).toBe('retired');
      expect(items).toHaveLength(2 + changed.filter(({ status }) => status === 200).length);
    });
    await Promise.all(rounds);
  });

  it('give the member’s place to one request, a restore or a creation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { memberId } = suite.workspace.member;
      const old = await create(suite.single);
      await retire(suite.single, old);
      const body = { fieldValues: { reason: 'New' }, memberId };

      const [restored, ...created] = await Promise.all([
        restore(suite.single, old),
        ...Array.from({ length: 4 }, () => suite.asAdmin('POST', suite.single.path, body)),
      ]);

      expect([200, 409]).toContain(restored.status);
      for (const { status } of created) expect([201, 400]).toContain(status);
      const taken = [restored, ...created].filter(({ status }) => status === 200 || status === 201);
      expect(taken).toHaveLength(1);
      await retire(suite.single, taken[0]?.body.id);
    }
  });

  it('delete a record once, and later requests return 404', async () => {
    const id = await create(suite.collection);
    const path = `${suite.collection.path}/${id}`;

    const [deleted, again, ...changed] = await Promise.all([
      suite.asAdmin('DELETE', path),
      suite.asAdmin('DELETE', path),
      ...['A', 'B', 'C', 'D'].map((reason) => suite.asAdmin('PUT', path, { fieldValues: { reason } })),
    ]);

    expect([deleted.status, again.status].sort()).toEqual([200, 404]);
    for (const { status } of changed) expect([200, 404]).toContain(status);
    expect((await suite.asAdmin('GET', path)).status).toBe(404);
  });
});
