import type { Database } from '../../db/database.js';
import type { Tx } from '../../db/tx.js';

const dayMs = 24 * 3_600_000;

/** Keeps the row of an API key that has scheduled something. Whether it was revoked is asked when that is due, or late. */
export async function keepApiKey(
  { identity }: Database,
  tx: Tx,
  { apiKeyId, dueAt }: { apiKeyId: number | null; dueAt: Date },
): Promise<void> {
  if (apiKeyId === null) return;
  await identity.apiKeys.keepUntil(apiKeyId, new Date(dueAt.getTime() + dayMs), tx);
}
