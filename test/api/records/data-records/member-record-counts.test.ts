import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { type TestType, useRecords } from '../../../support/records/use-records.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const suite = useRecords();
const { workspace, otherWorkspace, as, asAdmin } = suite;
const path = '/data-types/member-record-counts';
const countsAs = (caller: TestMember, memberId: number | string) =>
  as(caller)('GET', path, undefined, { member_id: memberId });
const create = (type: TestType, accessMode = 0) =>
  suite.create(type, { memberId: workspace.member.memberId, accessMode });

describeAccess(suite, ['count records'], () => [
  {
    method: 'GET',
    path: `${path}?member_id=${workspace.admin.memberId}`,
    scope: 'datatypes:read',
    needsPermission: false,
    namesItem: true,
  },
]);

describe('GET /data-types/member-record-counts', () => {
  it('returns the counts of a member by type to a caller that may read all records', async () => {
    await create(suite.single);
    for (const accessMode of [0, 2, 3]) await create(suite.collection, accessMode);

    const { status, body } = await countsAs(workspace.admin, workspace.member.memberId);

    expect(status).toBe(200);
    expect(body.counts).toMatchObject({ [suite.single.id]: 1, [suite.collection.id]: 3 });
    const others = await countsAs(workspace.admin, workspace.admin.memberId);
    expect(others.body.counts).toMatchObject({ [suite.single.id]: 0, [suite.collection.id]: 0 });
  });

  it('returns only types that the caller may read', async () => {
    await create(suite.single);
    await create(suite.collection);
    const nurse = await addMember(workspace, { permissions: [`data:read:${suite.single.slug}`] });

    const { body } = await countsAs(nurse, workspace.member.memberId);

    expect(body.counts).toEqual({ [suite.single.id]: 1 });
    const plain = await addMember(workspace);
    expect((await countsAs(plain, workspace.member.memberId)).body.counts).toEqual({});
  });

  it('counts for the caller itself the records visible to it', async () => {
    await create(suite.single);
    for (const accessMode of [0, 1, 2, 3]) await create(suite.collection, accessMode);

    const { body } = await countsAs(workspace.member, workspace.member.memberId);

    expect(body.counts).toMatchObject({ [suite.single.id]: 1, [suite.collection.id]: 3 });
  });

  it('requires an existing member', async () => {
    expect((await countsAs(workspace.admin, 999_999_999)).status).toBe(404);
    expect((await countsAs(workspace.admin, otherWorkspace.member.memberId)).status).toBe(404);
    for (const answer of [await asAdmin('GET', path), await countsAs(workspace.admin, 'me')]) {
      expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/member_id']]);
    }
  });
});
