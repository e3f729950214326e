import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { down, up } from '../../../db/migrations/0035-proofs-and-grants.js';
import { addMember, addRole } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => migrator.destroy());

it('the migration of grants gives existing sessions and tokens the permissions of their roles, and shortens sessions', async () => {
  const permissions = ['account:create', 'members:write', 'chats:read'];
  const { memberId, role } = await addMember(stage.workspace, { permissions });
  const greeting = await addRole(stage.workspace, { permissions: ['account:create'] });
  await migrator.transaction(down);
  const owner = { workspace_id: stage.workspace.workspaceId, member_id: memberId };
  const begun = { created_at: '2031-05-01T12:00:00Z', expires_at: '2031-07-30T12:00:00Z' };
  await migrator('identity.sessions').insert({
    ...owner,
    ...begun,
    hash: Buffer.alloc(32, 1),
    last_used_at: begun.created_at,
  });
  await migrator('identity.member_tokens').insert({ ...owner, ...begun, hash: Buffer.alloc(32, 2) });

  await migrator.transaction(up);

  const grants = { role_grants: permissions, granted: permissions };
  expect(await migrator('identity.sessions').where(owner).first()).toMatchObject({
    ...grants,
    expires_at: new Date('2031-05-15T12:00:00Z'),
  });
  expect(await migrator('identity.member_tokens').where(owner).first()).toMatchObject(grants);
  const permissionsOf = async (id: number) =>
    (await migrator('member_roles').where({ id }).first()).permissions;
  expect(await permissionsOf(role.id)).toEqual([...permissions, 'members:impersonate']);
  expect(await permissionsOf(greeting.id)).toEqual(['account:create']);
  const admin: string[] = await permissionsOf(stage.workspace.roles.admin.id);
  expect(admin.filter((permission) => permission === 'members:impersonate')).toHaveLength(1);
});
