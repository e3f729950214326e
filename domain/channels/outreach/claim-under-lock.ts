import { awaitOptOuts, type OptOutSubject, tryShareOptOuts } from '../../../db/channels/opt-out-locks.js';
import type { Database } from '../../../db/database.js';
import type { Tx } from '../../../db/tx.js';

/** An opt-out is being written of whom a claim would send to. */
class OptOutUnderWay extends Error {
  constructor(readonly whose: OptOutSubject) {
    super('an opt-out is being written');
  }
}

/** What a claim does before it asks the gate: from then on, an opt-out waits for the claim to be committed. */
export async function holdOptOuts(tx: Tx, whose: OptOutSubject): Promise<void> {
  if (!(await tryShareOptOuts(tx, whose))) throw new OptOutUnderWay(whose);
}

/**
 * Runs the transaction of a claim, which calls `holdOptOuts`. If an opt-out is being written, it is rolled back and run again
 * once that is committed: holding nothing while it waits, it cannot wait for what waits for it.
 */
export async function claimUnderLock<T>(
  db: Database,
  workspaceId: number,
  claim: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await db.inWorkspace(workspaceId, claim);
    } catch (error) {
      if (!(error instanceof OptOutUnderWay)) throw error;
      await db.inWorkspace(workspaceId, (tx) => awaitOptOuts(tx, error.whose));
    }
  }
}
