import type { Database, IdentityTx } from '../../../db/database.js';
import { Conflict } from '../../lib/errors.js';

const mostOfAccount = 100;
const mostOfWorkspace = 500;
/** Of keys that have ended, so many of an account stay listed. */
const endedKept = 200;
/** With those that have ended and others were made with. */
const mostRows = 1_000;

/**
 * Refuses a key beyond those that an account, or one workspace, may have; called after it was made, with the account
 * locked. Keys that have ended do not count, and the oldest of them are forgotten.
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
