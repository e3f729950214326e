import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as supportMembers from '../../../db/migrations/0017-support-members.js';
import * as phoneNumberPool from '../../../db/migrations/0027-phone-number-pool.js';
import * as proofsAndGrants from '../../../db/migrations/0035-proofs-and-grants.js';
import { takeSupportAccess } from '../../../domain/identity/support-access/take-support-access.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember, addRole, uniqueEmail } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

it('the migration of grants gives existing sessions and tokens the permissions of their roles, and shortens sessions', async () => {
  const permissions = ['account:create', 'members:write', 'chats:read'];
  const { memberId, role } = await addMember(workspace, { permissions });
  const greeting = await addRole(workspace, { permissions: ['account:create'] });
  await migrator.transaction(proofsAndGrants.down);
  const owner = { workspace_id: workspace.workspaceId, member_id: memberId };
  const begun = { created_at: '2031-05-01T12:00:00Z', expires_at: '2031-07-30T12:00:00Z' };
  await migrator('identity.sessions').insert({
    ...owner,
    ...begun,
    hash: Buffer.alloc(32, 1),
    last_used_at: begun.created_at,
  });
  await migrator('identity.member_tokens').insert({ ...owner, ...begun, hash: Buffer.alloc(32, 2) });

  await migrator.transaction(proofsAndGrants.up);

  const grants = { role_grants: permissions, granted: permissions };
  const answer = await migrator('identity.sessions').where(owner).first();
  expect(answer).toMatchObject({ ...grants, expires_at: new Date('2031-05-15T12:00:00Z') });
  expect(await migrator('identity.member_tokens').where(owner).first()).toMatchObject(grants);
  const permissionsOf = async (id: number) =>
    (await migrator('member_roles').where({ id }).first()).permissions;
  expect(await permissionsOf(role.id)).toEqual([...permissions, 'members:impersonate']);
  expect(await permissionsOf(greeting.id)).toEqual(['account:create']);
  const admin: string[] = await permissionsOf(workspace.roles.admin.id);
  expect(admin.filter((permission) => permission === 'members:impersonate')).toHaveLength(1);
});

it('the migration of the phone number pool keeps numbers that workspaces use, assigned to them', async () => {
  const { number, id } = await addPhoneNumber(workspace);

  await phoneNumberPool.down(migrator);
  await phoneNumberPool.up(migrator);

  const { identity } = workspace.database;
  const page = { page: 1, pageSize: 25, sortBy: 'number', sortOrder: 'asc' } as const;
  const { items } = await identity.phoneNumberPool.list({ search: number }, page);
  expect(items).toMatchObject([
    { number, workspaceUuid: workspace.workspaceUuid, source: 'earlier_release', purpose: 'workspaces' },
  ]);
  const { workspaceId } = workspace;
  expect(await identity.phoneNumberRoutes.find(number)).toEqual({ workspaceId, phoneNumberId: id });
});

it('the migration of support members recognises earlier ones by account and role', async () => {
  const { identity } = workspace.database;
  const account = await identity.accounts.create({ email: uniqueEmail(), isSuperuser: true });
  const credential = { kind: 'session', id: 0, scopes: null, workspaceId: null, expiresAt: null } as const;
  const policy = {
    workspaceCreation: 'anyone',
    workspacesPerAccount: 20,
    bytesPerWorkspace: 1,
    exportDays: 7,
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

  await supportMembers.down(migrator);
  await supportMembers.up(migrator);

  const ids = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    identity.memberships.supportMemberIds(workspace.workspaceId, tx),
  );
  expect(ids).toEqual([memberId]);
});
