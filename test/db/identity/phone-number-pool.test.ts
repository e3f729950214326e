import knex from 'knex';
import { expect, test } from 'vitest';
import { down, up } from '../../../db/migrations/0027-phone-number-pool.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const setup = useWorkspace();

test('the migration of the phone number pool keeps numbers that workspaces use, assigned to them', async () => {
  const { workspace, database } = setup;
  const { number, id } = await addPhoneNumber(workspace);

  const migrator = knex({ client: 'pg', connection: database.migratorUrl });
  try {
    await down(migrator);
    await up(migrator);
  } finally {
    await migrator.destroy();
  }

  const { identity } = workspace.database;
  const page = { page: 1, pageSize: 25, sortBy: 'number', sortOrder: 'asc' } as const;
  const { items } = await identity.phoneNumberPool.list({ search: number }, page);
  expect(items).toMatchObject([
    { number, workspaceUuid: workspace.workspaceUuid, source: 'earlier_release', purpose: 'workspaces' },
  ]);
  const { workspaceId } = workspace;
  expect(await identity.phoneNumberRoutes.find(number)).toEqual({ workspaceId, phoneNumberId: id });
});
