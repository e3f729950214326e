import { beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { useRecords } from '../../../support/records/use-records.js';
import { addApiKey, addMember, randomTag } from '../../../support/workspace/factories.js';

const suite = useRecords();
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
  const { id } = (await suite.asAdmin('POST', suite.collection.path, { fieldValues, externalId })).body;
  const type = `/data-types/${suite.collection.id}`;
  place = (path) => type + path.replace('{external_id}', externalId).replace('{record_id}', String(id));
});

describe.each(endpoints)('access to %s %s', (method, path, scope, body) => {
  it('returns 401 without credentials', async () => {
    const answer = await suite.api.request(method, suite.workspace.path(place(path)), { body });

    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('returns 403 for a credential without the scope and names the scope', async () => {
    const { database, admin } = suite.workspace;
    const scopes = allScopes.filter((other) => other !== scope);
    const apiKey = await addApiKey(database, admin.accountId, { scopes });

    const answer = await suite.as({ apiKey })(method, place(path), body);

    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.body.detail).toContain(scope);
  });

  it('returns 404 from and in another workspace', async () => {
    const { admin } = suite.otherWorkspace;

    expect((await suite.as(admin, suite.otherWorkspace)(method, place(path), body)).status).toBe(404);
    expect((await suite.as(admin)(method, place(path), body)).status).toBe(404);
  });

  it('returns 404 for an unknown data type', async () => {
    const elsewhere = place(path).replace(String(suite.collection.id), '999999999');

    expect((await suite.asAdmin(method, elsewhere, body)).status).toBe(404);
  });
});

describe('access to data records without a permission', () => {
  it('is rejected for records of others', async () => {
    const plain = await addMember(suite.workspace, { role: suite.workspace.roles.member, scopes: allScopes });

    for (const [method, path, , body] of endpoints.filter(([, path]) => path.includes('{'))) {
      const answer = await suite.as(plain)(method, place(path), body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  it('rejects only the records of others within a batch', async () => {
    const { memberId } = suite.workspace.admin;
    const records = [{ fieldValues }, { fieldValues, memberId }, { fieldValues, externalId: 'free' }];

    const { status, body } = await suite.asMember('POST', `${suite.collection.path}/bulk`, { records });

    expect(status).toBe(200);
    const refused = {
      status: 'failed',
      errors: [{ pointer: '', message: expect.stringContaining('records:write') }],
    };
    expect(body).toMatchObject({
      created: 2,
      failed: 1,
      results: [{ status: 'created' }, refused, { status: 'created' }],
    });
  });

  it('is granted for one data type by data:write:<slug>', async () => {
    const nurse = await addMember(suite.workspace, { permissions: [`data:write:${suite.collection.slug}`] });
    const asNurse = suite.as(nurse);
    const { memberId } = suite.workspace.member;

    expect((await asNurse('POST', place('/upsert/{external_id}'), { fieldValues })).status).toBe(200);
    expect((await asNurse('POST', place('/records/{record_id}/retire'), {})).status).toBe(200);
    const records = [{ fieldValues, memberId }];
    const bulk = await asNurse('POST', `${suite.single.path}/bulk`, { records });
    expect(bulk.body).toMatchObject({ failed: 1 });
  });
});
