import { removeOldRecordings } from '../../../db/calls/call-recordings.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Batch, batchOf } from '../../kernel/retention.js';

/** An hour has 240 objects, with a row each. */
const batchSize = 20;
const dayMs = 24 * 3_600_000;

/** Deletes a batch of the recordings of a workspace that began so many days ago. Their calls stay, with what was said in them. */
export async function forgetOldRecordings(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
): Promise<Batch> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  const remove = () => db.inWorkspace(workspaceId, (tx) => removeOldRecordings(tx, before, batchSize));
  return batchOf(await remove(), batchSize);
}
