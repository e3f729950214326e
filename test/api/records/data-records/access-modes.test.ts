import { describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';
import { addMember } from '../../../support/workspace/factories.js';

const suite = useRecords();
const fieldValues = { reason: 'Cough' };
const create = async (accessMode: number, externalId?: string): Promise<number> => {
  const { memberId } = suite.workspace.member;
  const body = { fieldValues, memberId, accessMode, externalId };
  return (await suite.asAdmin('POST', suite.collection.path, body)).body.id;
};

describe('an access mode', () => {
  it.each([
    [0, 'own', { get: 200, changes: 200, update: 200, retire: 200, restore: 200 }],
    [1, 'read only', { get: 200, changes: 200, update: 403, retire: 403, restore: 403 }],
    [2, 'hidden', { get: 404, changes: 404, update: 404, retire: 404, restore: 404 }],
    [3, 'shared', { get: 200, changes: 200, update: 403, retire: 403, restore: 403 }],
  ])('%i (%s) allows the record’s member exactly its operations', async (accessMode, _name, expected) => {
    const path = `${suite.collection.path}/${await create(accessMode)}`;

    const answers = {
      get: await suite.asMember('GET', path),
      changes: await suite.asMember('GET', `${path}/changes`),
      update: await suite.asMember('PUT', path, { fieldValues: { reason: 'Fever' } }),
      retire: await suite.asMember('POST', `${path}/retire`, {}),
      restore: await suite.asMember('POST', `${path}/restore`),
    };

    const statuses = Object.entries(answers).map(([name, { status }]) => [name, status]);
    expect(Object.fromEntries(statuses)).toEqual(expected);
  });

  it.each([
    [0, 403],
    [1, 403],
    [2, 403],
    [3, 200],
  ])('%i gives other members status %i for reading', async (accessMode, expected) => {
    const other = await addMember(suite.workspace);
    const path = `${suite.collection.path}/${await create(accessMode)}`;

    expect((await suite.as(other)('GET', path)).status).toBe(expected);
    expect((await suite.as(other)('GET', `${path}/changes`)).status).toBe(expected);
    expect((await suite.as(other)('PUT', path, { fieldValues })).status).toBe(403);
    expect((await suite.as(other)('POST', `${path}/retire`, {})).status).toBe(403);
  });

  it('does not restrict members that may read and write all records', async () => {
    const permissions = [`data:read:${suite.collection.slug}`, `data:write:${suite.collection.slug}`];
    const nurse = await addMember(suite.workspace, { permissions });

    for (const accessMode of [0, 1, 2, 3]) {
      const path = `${suite.collection.path}/${await create(accessMode)}`;
      expect((await suite.as(nurse)('GET', path)).body).toMatchObject({ accessMode });
      const reason = `Seen ${accessMode}`;
      expect((await suite.as(nurse)('PUT', path, { fieldValues: { reason } })).status).toBe(200);
    }
  });

  it('can be set through every write endpoint by members that may write all records', async () => {
    const { path } = suite.collection;
    const id = await create(0, 'visit-1');
    const set = async (answer: Promise<{ body: { accessMode: number } }>) => (await answer).body.accessMode;

    expect(await set(suite.asAdmin('PUT', `${path}/${id}`, { fieldValues: {}, accessMode: 1 }))).toBe(1);
    expect(await set(suite.asAdmin('PUT', `${path}/${id}`, { fieldValues: { reason: 'A' } }))).toBe(1);
    const byExternalId = `${path}?externalId=visit-1`;
    expect(await set(suite.asAdmin('PUT', byExternalId, { fieldValues: {}, accessMode: 2 }))).toBe(2);
    const upsert = `/data-types/${suite.collection.id}/upsert/visit-1`;
    expect(await set(suite.asAdmin('POST', upsert, { fieldValues: {}, accessMode: 3 }))).toBe(3);
    const records = [{ fieldValues: {}, externalId: 'visit-1', accessMode: 1 }];
    expect((await suite.asAdmin('POST', `${path}/bulk`, { records })).body).toMatchObject({ updated: 1 });
    expect(await set(suite.asAdmin('GET', `${path}/${id}`))).toBe(1);
  });

  it('cannot be set by the record’s own member', async () => {
    const id = await create(0);
    const { path } = suite.collection;

    const posted = await suite.asMember('POST', path, { fieldValues, accessMode: 0 });
    const put = await suite.asMember('PUT', `${path}/${id}`, { fieldValues, accessMode: 1 });
    const bulk = await suite.asMember('POST', `${path}/bulk`, { records: [{ fieldValues, accessMode: 3 }] });

    expect([posted.status, put.status]).toEqual([403, 403]);
    expect(bulk.body).toMatchObject({ failed: 1 });
  });

  it('hides the owner of a hidden record’s external id', async () => {
    await create(2, 'hidden');
    const { memberId } = suite.workspace.admin;
    await suite.asAdmin('POST', suite.collection.path, { fieldValues, memberId, externalId: 'theirs' });
    const tell = async (externalId: string) => {
      const body = { fieldValues };
      const upsert = `/data-types/${suite.collection.id}/upsert/${externalId}`;
      const answers = [
        await suite.asMember('POST', upsert, body),
        await suite.asMember('POST', suite.collection.path, { ...body, externalId }),
        await suite.asMember('PUT', `${suite.collection.path}?externalId=${externalId}`, body),
      ];
      return answers.map((answer) => [answer.status, answer.body.detail]);
    };

    expect(await tell('hidden')).toEqual(await tell('theirs'));
  });

  it.each([-1, 4, 1.5, 'own'])('refuses %j', async (accessMode) => {
    const answer = await suite.asAdmin('POST', suite.collection.path, { fieldValues, accessMode });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/accessMode']]);
  });
});
