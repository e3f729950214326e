import { deleteIdempotencyKeysUntil } from '../../../db/idempotency-keys.js';
import type { ServiceContext } from '../context.js';
import { oldUntil } from './key-age.js';

const batchSize = 1_000;

/**
 * Deletes keys of a workspace (of accounts, for null) and what was answered under them once they are 24 hours old.
 * `onBatch` is called after each thousand.
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
