import type { Database, IdentityTx } from '../../../db/database.js';
import { Conflict } from '../../lib/errors.js';

const mostOfAccount = 100;
const mostOfWorkspace = 500;
/** How many ended keys of an account stay listed. */
const endedKept = 200;
/** All keys of an account, with ended ones. An ended key is kept as long as there are keys that were made with it. */
const mostRows = 1_000;

/**
 * Enforces the limits on keys per account and per workspace. Called after the insert, with the account locked. Ended
 * keys do not count, and the oldest of them are deleted.
 *
 * @throws Conflict `too_many_api_keys`
 */
export async function checkKeyBounds(
  db: Database,
  { accountId, workspaceId }: { accountId: number; workspaceId: number | null },
  now: Date,
  tx: IdentityTx,
): Promise<void> {
  const { apiKeys } = db.identity;
  if ((await apiKeys.countActive({ accountId }, now, tx)) > mostOfAccount) {
    throw tooMany(`The account has ${mostOfAccount} API keys.`);
  }
  if (workspaceId !== null && (await apiKeys.countActive({ workspaceId }, now, tx)) > mostOfWorkspace) {
    throw tooMany(`The workspace has ${mostOfWorkspace} API keys.`);
  }
  await apiKeys.removeEnded(accountId, { now, keep: endedKept }, tx);
  if ((await apiKeys.countAll(accountId, tx)) > mostRows) {
    throw tooMany(`The account has ${mostRows} API keys, with those that have ended.`);
  }
}

function tooMany(message: string): Conflict {
  return new Conflict('too_many_api_keys', message);
}
