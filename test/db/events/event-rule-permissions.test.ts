import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { down, up } from '../../../db/migrations/0022-event-rule-permissions.js';
import { addRole } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => migrator.destroy());

const permissionsOf = async (id: number): Promise<string[]> =>
  (await migrator('member_roles').where({ id }).first('permissions')).permissions;

it('the migration grants the permissions for event rules only to roles that manage workspaces', async () => {
  const managing = ['workspace:write', 'roles:write', 'chats:read'];
  const added = ['event_rules:read', 'event_rules:write'];
  const manager = await addRole(stage.workspace, { permissions: managing });
  const reader = await addRole(stage.workspace, { permissions: ['workspace:write', 'chats:read'] });

  await migrator.transaction(up);
  expect(await permissionsOf(manager.id)).toEqual([...managing, ...added]);
  expect(await permissionsOf(reader.id)).toEqual(['workspace:write', 'chats:read']);
  const admin = await permissionsOf(stage.workspace.roles.admin.id);
  expect(admin.filter((permission) => permission === 'event_rules:write')).toHaveLength(1);

  await migrator.transaction(down);
  expect(await permissionsOf(manager.id)).toEqual(managing);
});
