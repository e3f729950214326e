import { removeOldRecordings } from '../../../db/calls/call-recordings.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { RetentionSlice } from '../../kernel/retention-slice.js';

/** An hour has 240 objects, with a row each. */
const batchSize = 20;
const dayMs = 24 * 3_600_000;

/**
 * Deletes the recordings of a workspace that began so many days ago. Their calls stay, with what was said in them. Each
 * batch is a transaction of its own. @returns how many
 */
export async function forgetOldRecordings(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
  slice: RetentionSlice,
): Promise<number> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  let forgotten = 0;
  for (let removed = batchSize; removed === batchSize && !slice.isOver(); ) {
    removed = await db.inWorkspace(workspaceId, (tx) => removeOldRecordings(tx, before, batchSize));
    forgotten += removed;
    slice.onBatch();
  }
  return forgotten;
}
