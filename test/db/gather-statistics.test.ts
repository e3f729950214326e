import { expect, it } from 'vitest';
import { useConnection } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { database: testDatabase, workspace } = useWorkspace();
const query = useConnection(() => testDatabase.superuserUrl);

const addMembers = (count: number) =>
  workspace.within(async (tx) => {
    // Without this, PostgreSQL counts the changes some seconds later.
    await tx.raw('select pg_stat_force_next_flush()');
    await tx.raw(
      `insert into members (workspace_id, name, member_role_id)
       select ?, 'Member ' || n, ? from generate_series(1, ?::int) n`,
      [workspace.workspaceId, workspace.roles.member.id, count],
    );
  });
const rowsAssumed = async (): Promise<number> => {
  const { rows } = await query(`select reltuples from pg_class where oid = 'public.members'::regclass`);
  return rows[0]?.reltuples;
};

it('gatherStatistics analyses a table that has grown, and not one that has changed little', async () => {
  await addMembers(500);
  await waitFor('the new rows are known', async () => {
    await workspace.database.gatherStatistics();
    return (await rowsAssumed()) >= 500;
  });
  const assumed = await rowsAssumed();

  await addMembers(120);
  await waitFor('the change is counted', async () => {
    const { rows } = await query(
      `select n_mod_since_analyze::int as changed from pg_stat_user_tables where relname = 'members'`,
    );
    return rows[0]?.changed >= 120;
  });
  await workspace.database.gatherStatistics();

  expect(await rowsAssumed()).toBe(assumed);
});
