import knex from 'knex';
import { expect, test } from 'vitest';
import { down, up } from '../../db/migrations/0017-support-members.js';
import { takeSupportAccess } from '../../domain/identity/support-access/take-support-access.js';
import { addMember, uniqueEmail } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const setup = useWorkspace();

test('the migration of support members recognises earlier ones by account and role', async () => {
  const { workspace, database } = setup;
  const { identity } = workspace.database;
  const account = await identity.accounts.create({ email: uniqueEmail(), isSuperuser: true });
  const credential = { kind: 'session', id: 0, scopes: null, workspaceId: null, expiresAt: null } as const;
  const policy = {
    workspaceCreation: 'anyone',
    workspacesPerAccount: 20,
    supportAccessHours: 8,
    localHttpOrigins: true,
  } as const;
  const { memberId } = await takeSupportAccess(
    { db: workspace.database, clock: workspace.context().clock, account, credential, policy },
    workspace.workspaceUuid,
    'Request 4711',
  );
  const support = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
    tx('members').where({ id: memberId }).first('member_role_id'),
  );
  // A colleague with the same role, and a superuser who is a regular admin.
  const colleague = await addMember(workspace);
  await workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
    tx('members').where({ id: colleague.memberId }).update(support),
  );
  const owner = await addMember(workspace, { role: workspace.roles.admin });
  await identity.accounts.update(owner.accountId, { isSuperuser: true });

  const migrator = knex({ client: 'pg', connection: database.migratorUrl });
  try {
    await down(migrator);
    await up(migrator);
  } finally {
    await migrator.destroy();
  }

  const ids = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    identity.memberships.supportMemberIds(workspace.workspaceId, tx),
  );
  expect(ids).toEqual([memberId]);
});
