import type { Tx } from '../../db/database.js';
import { waitFor } from './wait-for.js';

/** Resolves once somebody waits for what the transaction holds. */
export async function whenWaitedFor(tx: Tx): Promise<void> {
  await waitFor('somebody waits for the transaction', async () => {
    const waiting = await tx('pg_locks')
      .where({ granted: false })
      .whereRaw('transactionid = pg_current_xact_id()::xid')
      .select('pid');
    return waiting.length > 0;
  });
}
