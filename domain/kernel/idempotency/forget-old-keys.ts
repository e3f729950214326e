import { deleteIdempotencyKeysUntil } from '../../../db/idempotency-keys.js';
import type { ServiceContext } from '../context.js';
import { oldUntil } from './key-age.js';

const batchSize = 1_000;

/**
 * Deletes idempotency keys of a workspace, with their stored answers, once they are 24 hours old.
 *
 * @param workspaceId null for the keys of accounts
 * @param onBatch called after each batch of up to a thousand keys
 */
export async function forgetOldKeys(
  { db, clock }: ServiceContext,
  workspaceId: number | null,
  onBatch: () => void = () => {},
): Promise<void> {
  const until = oldUntil(clock.now());
  let deleted = batchSize;
  while (deleted === batchSize) {
    deleted = await db.atomically(workspaceId, (_, tx) => deleteIdempotencyKeysUntil(tx, until, batchSize));
    onBatch();
  }
}
