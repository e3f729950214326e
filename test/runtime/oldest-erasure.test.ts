import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertPersonErasure, patchPersonErasure } from '../../db/person-data/person-erasures.js';
import type { Tx } from '../../db/tx.js';
import { readOldestErasure } from '../../runtime/relay/gauges.js';
import { useDatabase } from '../support/db/use-database.js';
import { addMemberRow, createWorkspace } from '../support/workspace/factories.js';

const testDatabase = useDatabase();
let relay: pg.Client;
beforeAll(async () => {
  relay = new pg.Client({ connectionString: testDatabase.relayUrl });
  await relay.connect();
});
afterAll(() => relay.end());

/** Begins an erasure that many seconds ago. @returns its end, or its new beginning after that */
async function eraseSince(seconds: number) {
  const workspace = await createWorkspace(testDatabase.database);
  const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
  const inside = <T>(work: (tx: Tx) => Promise<T>) =>
    testDatabase.database.inWorkspace(workspace.workspaceId, work);
  const before = (ago: number) => new Date(Date.now() - 1_000 * ago);
  const erasure = await inside((tx) =>
    insertPersonErasure(tx, {
      memberId: id,
      requestedByMemberId: workspace.admin.memberId,
      accountId: null,
      createdAt: before(seconds),
    }),
  );
  return {
    end: () => inside((tx) => patchPersonErasure(tx, erasure.id, { erasedAt: new Date() })),
    reopen: (ago: number) =>
      inside((tx) => patchPersonErasure(tx, erasure.id, { erasedAt: null, reopenedAt: before(ago) })),
  };
}

it('tells the age of the oldest erasure with something left, over all workspaces', async () => {
  expect(await readOldestErasure(relay)).toBe(0);
  const older = await eraseSince(9_000);
  const younger = await eraseSince(700);
  expect(Math.floor((await readOldestErasure(relay)) / 100)).toBe(90);

  await older.end();
  expect(Math.floor((await readOldestErasure(relay)) / 100)).toBe(7);

  await younger.end();
  await older.reopen(300);
  expect(Math.floor((await readOldestErasure(relay)) / 100)).toBe(3);
});
