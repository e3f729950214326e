import type { AnyTx } from '../../../db/tx.js';
import { waitFor } from '../lib/wait-for.js';
import type { TestWorkspace } from '../workspace/factories.js';

export async function whenWaitedFor(tx: AnyTx): Promise<void> {
  await waitFor('somebody waits for the transaction', async () => {
    const waiting = await tx('pg_locks')
      .where({ granted: false })
      .whereRaw('pg_backend_pid() = any(pg_blocking_pids(pid))')
      .select('pid');
    return waiting.length > 0;
  });
}

/** Resolves once so many wait for each other in the suite's database. */
export async function whenWaiting(
  { database, workspaceId }: Pick<TestWorkspace, 'database' | 'workspaceId'>,
  count: number,
): Promise<void> {
  // A transaction for each look: one sees the same throughout.
  const look = () =>
    database.inWorkspace(workspaceId, async (tx) =>
      tx('pg_stat_activity')
        .whereRaw("datname = current_database() and wait_event_type = 'Lock'")
        .select('pid'),
    );
  await waitFor(`${count} wait`, async () => (await look()).length >= count);
}
