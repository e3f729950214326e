import { describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';

const suite = useRecords();
const path = '/data-types/member-record-counts';
const countsAs = (who: { apiKey: string }, memberId: number | string) =>
  suite.as(who)('GET', path, undefined, { member_id: memberId });
const create = (type: { path: string }, more: object = {}) =>
  suite.asAdmin('POST', type.path, {
    fieldValues: { reason: 'A' },
    memberId: suite.workspace.member.memberId,
    ...more,
  });

describe('GET /data-types/member-record-counts', () => {
  it('returns the counts of a member by type to a caller that may read all records', async () => {
    await create(suite.single);
    for (const accessMode of [0, 2, 3]) await create(suite.collection, { accessMode });

    const { status, body } = await countsAs(suite.workspace.admin, suite.workspace.member.memberId);

    expect(status).toBe(200);
    expect(body.counts).toMatchObject({ [suite.single.id]: 1, [suite.collection.id]: 3 });
    const others = await countsAs(suite.workspace.admin, suite.workspace.admin.memberId);
    expect(others.body.counts).toMatchObject({ [suite.single.id]: 0, [suite.collection.id]: 0 });
  });

  it('returns only types that the caller may read', async () => {
    await create(suite.single);
    await create(suite.collection);
    const nurse = await addMember(suite.workspace, { permissions: [`data:read:${suite.single.slug}`] });

    const { body } = await countsAs(nurse, suite.workspace.member.memberId);

    expect(body.counts).toEqual({ [suite.single.id]: 1 });
    const plain = await addMember(suite.workspace);
    expect((await countsAs(plain, suite.workspace.member.memberId)).body.counts).toEqual({});
  });

  it('counts for the caller itself the records visible to it', async () => {
    await create(suite.single);
    for (const accessMode of [0, 1, 2, 3]) await create(suite.collection, { accessMode });
    const { member } = suite.workspace;

    const { body } = await countsAs(member, member.memberId);

    expect(body.counts).toMatchObject({ [suite.single.id]: 1, [suite.collection.id]: 3 });
  });

  it('requires an existing member', async () => {
    const { admin } = suite.workspace;

    expect((await countsAs(admin, 999_999_999)).status).toBe(404);
    expect((await countsAs(admin, suite.otherWorkspace.member.memberId)).status).toBe(404);
    const without = await suite.asAdmin('GET', path);
    expect([without.status, pointersOf(without.body)]).toEqual([400, ['/member_id']]);
    const wrong = await countsAs(admin, 'me');
    expect([wrong.status, pointersOf(wrong.body)]).toEqual([400, ['/member_id']]);
  });

  it('returns 401, 403 or 404 without credentials, scope or membership', async () => {
    const { admin, database } = suite.workspace;
    const query = { member_id: admin.memberId };
    const apiKey = await addApiKey(database, admin.accountId, {
      scopes: allScopes.filter((scope) => scope !== 'datatypes:read'),
    });

    expect((await suite.api.request('GET', suite.workspace.path(path), { query })).status).toBe(401);
    expect(await countsAs({ apiKey }, admin.memberId)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    expect((await countsAs(suite.otherWorkspace.admin, admin.memberId)).status).toBe(404);
  });
});
