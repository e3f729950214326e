import { describe, expect, it } from 'vitest';
import { createLabel } from '../../../../domain/kernel/labels.js';
import { memberLabels } from '../../../../domain/people/member-labels/member-labels.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, addMemberRow, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi({ storesEvents: true });

const person = (values = {}) =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });

const addLabel = () => createLabel(workspace.context(), memberLabels, { name: `Label ${randomTag()}` });

async function labelsOf(memberId: number): Promise<number[]> {
  const { body } = await asAdmin('GET', `/members/${memberId}`);
  return body.labels.map(({ id }: { id: number }) => id).sort();
}

describeAccess({ api, workspace, otherWorkspace }, ['label'], () => [
  {
    method: 'POST',
    path: '/members/label',
    scope: 'members:write',
    needsPermission: true,
    body: { memberIds: [workspace.member.memberId] },
    namesItem: false,
  },
]);

describe('labels of many members', () => {
  it('are given and taken, and others stay', async () => {
    const [given, taken, kept] = [await addLabel(), await addLabel(), await addLabel()];
    const [one, other] = [await person(), await person()];
    await asAdmin('PUT', `/members/${one.id}`, { labelIds: [taken.id, kept.id] });
    await asAdmin('PUT', `/members/${other.id}`, { labelIds: [given.id] });
    const change = { memberIds: [one.id, other.id], labelIds: [given.id], removedLabelIds: [taken.id] };

    const { status, body } = await asAdmin('POST', '/members/label', change);
    expect([status, body]).toEqual([200, { updated: 1, unchanged: 1, failed: [] }]);
    expect(await labelsOf(one.id)).toEqual([given.id, kept.id].sort());
    expect(await labelsOf(other.id)).toEqual([given.id]);
    const { body: again } = await asAdmin('POST', '/members/label', change);
    expect(again).toMatchObject({ updated: 0, unchanged: 2 });
  });

  it('are changed for all but those who are refused, and these are named', async () => {
    const label = await addLabel();
    const nurse = await addMember(workspace, { permissions: ['members:read', 'members:write'] });
    const someone = await person();
    const foreign = otherWorkspace.member.memberId;
    const memberIds = [someone.id, workspace.admin.memberId, foreign];
    const { body } = await as(nurse)('POST', '/members/label', { memberIds, labelIds: [label.id] });
    expect(body).toEqual({
      updated: 1,
      unchanged: 0,
      failed: [
        { memberId: workspace.admin.memberId, message: expect.stringContaining('your own role') },
        { memberId: foreign, message: 'There is no such member.' },
      ],
    });
    expect(await labelsOf(someone.id)).toEqual([label.id]);
    expect(await labelsOf(workspace.admin.memberId)).toEqual([]);
  });

  it.each(['labelIds', 'removedLabelIds'])('have to exist: %s', async (field) => {
    const asked = { memberIds: [(await person()).id], [field]: [2_000_000_000] };
    const { status, body } = await asAdmin('POST', '/members/label', asked);
    expect([status, pointersOf(body)]).toEqual([400, [`/${field}/0`]]);
  });
});
