import { expect, it } from 'vitest';
import { deleteMemberLabel } from '../../../../db/people/member-labels.js';
import { lockMembers } from '../../../../db/people/write-members.js';
import { createMemberLabel } from '../../../../domain/people/member-labels/create-member-label.js';
import { changeMembers } from '../../../../domain/people/members/change-member.js';
import { importMemberRows } from '../../../../domain/people/members/transfer/import-batch.js';
import { whenWaiting } from '../../../support/db/locks.js';
import { addMemberRow, uniqueEmail } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();

it('an import that labels members does not deadlock with the deletion of the label', async () => {
  const { workspace } = setup;
  const { database, workspaceId } = workspace;
  const memberRoleId = workspace.roles.member.id;
  const people = [
    await addMemberRow(workspace, { memberRoleId, email: uniqueEmail() }),
    await addMemberRow(workspace, { memberRoleId, email: uniqueEmail() }),
  ];
  const label = await createMemberLabel(workspace.context(), { name: 'Doomed' });
  await database.inWorkspace(workspaceId, (tx) =>
    changeMembers(
      tx,
      { now: new Date() },
      people.map((member) => ({ member, changes: {}, labelIds: [label.id] })),
    ),
  );
  const settings = { columns: ['email', 'name', 'labels'], dataTypeIds: [], newMemberRoleId: memberRoleId };
  const rows = people.map(({ email }, index) => ({
    row: index + 2,
    cells: [email ?? '', 'New', label.slug],
  }));

  // The import has locked the first of them when the deletion begins, and waits for the second.
  const { imported, deleted } = await database.inWorkspace(workspaceId, async (tx) => {
    await lockMembers(tx, [people[1]?.id ?? 0]);
    const importing = importMemberRows(workspace.context(), { ...settings, blankCells: 'keep' }, rows);
    await whenWaiting(workspace, 1);
    const deleting = database.inWorkspace(workspaceId, (other) => deleteMemberLabel(other, label.id));
    await whenWaiting(workspace, 2);
    return { imported: importing, deleted: deleting };
  });

  expect(await imported).toEqual(people.map(({ id }) => ({ status: 'updated', memberId: id })));
  expect(await deleted).toBe(true);
});
