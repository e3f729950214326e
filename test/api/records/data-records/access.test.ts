import { beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';
import { addApiKey, addMember, randomTag } from '../../../support/workspace/factories.js';

const suite = useRecords();
const { api, workspace, otherWorkspace, as, asAdmin, asMember } = suite;
const fieldValues = { reason: 'Fever' };

/** The endpoints for a record of the admin: method, path below the type, scope, body. */
const endpoints: [string, string, string, unknown?][] = [
  ['GET', '/records', 'data:read'],
  ['POST', '/records', 'data:write', { fieldValues }],
  ['PUT', '/records?externalId={external_id}', 'data:write', { fieldValues }],
  ['GET', '/records/{record_id}', 'data:read'],
  ['PUT', '/records/{record_id}', 'data:write', { fieldValues }],
  ['DELETE', '/records/{record_id}', 'records:admin'],
  ['POST', '/upsert/{external_id}', 'data:write', { fieldValues }],
  ['POST', '/records/bulk', 'data:write', { records: [{ fieldValues }] }],
  ['GET', '/records/{record_id}/changes', 'data:read'],
  ['POST', '/records/{record_id}/retire', 'data:write', {}],
  ['POST', '/records/{record_id}/restore', 'data:write'],
];
let place: (path: string) => string;
beforeEach(async () => {
  const externalId = randomTag();
  const { id } = await suite.create(suite.collection, { externalId });
  const type = `/data-types/${suite.collection.id}`;
  place = (path) => type + path.replace('{external_id}', externalId).replace('{record_id}', String(id));
});

describe.each(endpoints)('access to %s %s', (method, path, scope, body) => {
  it('returns 401 without credentials', async () => {
    const answer = await api.request(method, workspace.path(place(path)), { body });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('returns 403 for a credential without the scope and names the scope', async () => {
    const scopes = allScopes.filter((other) => other !== scope);
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

    const answer = await as({ apiKey })(method, place(path), body);

    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.body.detail).toContain(scope);
  });

  it('returns 404 from and in another workspace', async () => {
    const { admin } = otherWorkspace;
    expect((await as(admin, otherWorkspace)(method, place(path), body)).status).toBe(404);
    expect((await as(admin)(method, place(path), body)).status).toBe(404);
  });

  it('returns 404 for an unknown data type', async () => {
    const elsewhere = place(path).replace(String(suite.collection.id), '999999999');
    expect((await asAdmin(method, elsewhere, body)).status).toBe(404);
  });
});

describe('access to data records without a permission', () => {
  it('is rejected for records of others', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member, scopes: allScopes });
    const { memberId } = workspace.admin;
    const ofOthers: typeof endpoints = [
      ...endpoints.filter(([, path]) => path.includes('{')),
      ['GET', `/records?memberId=${memberId}`, 'data:read'],
      ['POST', '/records', 'data:write', { fieldValues, memberId }],
    ];

    for (const [method, path, , body] of ofOthers) {
      const answer = await as(plain)(method, place(path), body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  it('rejects only the records of others within a batch', async () => {
    const { memberId } = workspace.admin;
    const records = [{ fieldValues }, { fieldValues, memberId }, { fieldValues, externalId: 'free' }];

    const { status, body } = await asMember('POST', `${suite.collection.path}/bulk`, { records });

    expect(status).toBe(200);
    const message = expect.stringContaining('records:write');
    expect(body).toMatchObject({
      created: 2,
      failed: 1,
      results: [
        { status: 'created' },
        { status: 'failed', errors: [{ pointer: '', message }] },
        { status: 'created' },
      ],
    });
  });

  it('is granted for the one type that the permissions data:read:<slug> and data:write:<slug> name', async () => {
    const { slug, path } = suite.collection;
    const nurse = await addMember(workspace, { permissions: [`data:read:${slug}`, `data:write:${slug}`] });
    const asNurse = as(nurse);
    const own = `${suite.single.path}/${(await suite.create(suite.single)).id}`;
    const { memberId } = workspace.admin;
    const records = [{ fieldValues, memberId: workspace.member.memberId }];

    expect((await asNurse('GET', place('/records/{record_id}'))).status).toBe(200);
    expect((await asNurse('POST', path, { fieldValues, memberId })).status).toBe(201);
    expect((await asNurse('PUT', place('/records/{record_id}'), { fieldValues })).status).toBe(200);
    expect((await asNurse('GET', own)).status).toBe(403);
    expect((await asNurse('PUT', own, { fieldValues })).status).toBe(403);
    expect((await asNurse('DELETE', place('/records/{record_id}'))).status).toBe(403);
    const bulk = await asNurse('POST', `${suite.single.path}/bulk`, { records });
    expect(bulk.body).toMatchObject({ failed: 1 });
  });

  it('is granted for one data type by data:write:<slug> alone', async () => {
    const nurse = await addMember(workspace, { permissions: [`data:write:${suite.collection.slug}`] });

    const upserted = await as(nurse)('POST', place('/upsert/{external_id}'), { fieldValues });
    const retired = await as(nurse)('POST', place('/records/{record_id}/retire'), {});

    expect([upserted.status, retired.status]).toEqual([200, 200]);
  });

  it('requires the scope records:write to write for other members', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'records:write');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });
    const { memberId } = workspace.member;

    const answer = await as({ apiKey })('POST', suite.collection.path, { fieldValues, memberId });

    expect(answer).toMatchObject({ status: 403 });
    expect(answer.body.detail).toContain('records:write');
  });
});

describe('an access mode', () => {
  const create = async (accessMode: number, externalId?: string): Promise<number> =>
    (await suite.create(suite.collection, { memberId: workspace.member.memberId, accessMode, externalId }))
      .id;

  it.each([
    [0, 'own', { get: 200, changes: 200, update: 200, retire: 200, restore: 200 }],
    [1, 'read only', { get: 200, changes: 200, update: 403, retire: 403, restore: 403 }],
    [2, 'hidden', { get: 404, changes: 404, update: 404, retire: 404, restore: 404 }],
    [3, 'shared', { get: 200, changes: 200, update: 403, retire: 403, restore: 403 }],
  ])('%i (%s) allows the record’s member exactly its operations', async (accessMode, _name, expected) => {
    const path = `${suite.collection.path}/${await create(accessMode)}`;

    expect({
      get: (await asMember('GET', path)).status,
      changes: (await asMember('GET', `${path}/changes`)).status,
      update: (await asMember('PUT', path, { fieldValues })).status,
      retire: (await asMember('POST', `${path}/retire`, {})).status,
      restore: (await asMember('POST', `${path}/restore`)).status,
    }).toEqual(expected);
  });

  it.each([
    [0, 403],
    [1, 403],
    [2, 403],
    [3, 200],
  ])('%i gives other members status %i for reading', async (accessMode, expected) => {
    const asOther = as(await addMember(workspace));
    const path = `${suite.collection.path}/${await create(accessMode)}`;
    expect((await asOther('GET', path)).status).toBe(expected);
    expect((await asOther('GET', `${path}/changes`)).status).toBe(expected);
    expect((await asOther('PUT', path, { fieldValues })).status).toBe(403);
    expect((await asOther('POST', `${path}/retire`, {})).status).toBe(403);
  });

  it('does not restrict members that may read and write all records', async () => {
    const permissions = [`data:read:${suite.collection.slug}`, `data:write:${suite.collection.slug}`];
    const asNurse = as(await addMember(workspace, { permissions }));

    for (const accessMode of [0, 1, 2, 3]) {
      const path = `${suite.collection.path}/${await create(accessMode)}`;
      expect((await asNurse('GET', path)).body).toMatchObject({ accessMode });
      const reason = `Seen ${accessMode}`;
      expect((await asNurse('PUT', path, { fieldValues: { reason } })).status).toBe(200);
    }
  });

  it('can be set through every write endpoint by members that may write all records', async () => {
    const { path } = suite.collection;
    const id = await create(0, 'visit-1');
    const set = async (method: string, to: string, body?: object) =>
      (await asAdmin(method, to, body)).body.accessMode;

    expect(await set('PUT', `${path}/${id}`, { fieldValues: {}, accessMode: 1 })).toBe(1);
    expect(await set('PUT', `${path}/${id}`, { fieldValues })).toBe(1);
    expect(await set('PUT', `${path}?externalId=visit-1`, { fieldValues: {}, accessMode: 2 })).toBe(2);
    const upsert = `/data-types/${suite.collection.id}/upsert/visit-1`;
    expect(await set('POST', upsert, { fieldValues: {}, accessMode: 3 })).toBe(3);
    const records = [{ fieldValues: {}, externalId: 'visit-1', accessMode: 1 }];
    expect((await asAdmin('POST', `${path}/bulk`, { records })).body).toMatchObject({ updated: 1 });
    expect(await set('GET', `${path}/${id}`)).toBe(1);
  });

  it('cannot be set by the record’s own member', async () => {
    const id = await create(0);
    const { path } = suite.collection;

    const posted = await asMember('POST', path, { fieldValues, accessMode: 0 });
    const put = await asMember('PUT', `${path}/${id}`, { fieldValues, accessMode: 1 });
    const bulk = await asMember('POST', `${path}/bulk`, { records: [{ fieldValues, accessMode: 3 }] });

    expect([posted.status, put.status]).toEqual([403, 403]);
    expect(bulk.body).toMatchObject({ failed: 1 });
  });

  it('hides the owner of a hidden record’s external id', async () => {
    await create(2, 'hidden');
    await suite.create(suite.collection, { externalId: 'theirs' });
    const tell = async (externalId: string) => {
      const { id, path } = suite.collection;
      const answers = [
        await asMember('POST', `/data-types/${id}/upsert/${externalId}`, { fieldValues }),
        await asMember('POST', path, { fieldValues, externalId }),
        await asMember('PUT', `${path}?externalId=${externalId}`, { fieldValues }),
      ];
      return answers.map((answer) => [answer.status, answer.body.detail]);
    };

    expect(await tell('hidden')).toEqual(await tell('theirs'));
  });

  it.each([-1, 4, 1.5, 'own'])('refuses %j', async (accessMode) => {
    const answer = await asAdmin('POST', suite.collection.path, { fieldValues, accessMode });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/accessMode']]);
  });
});
