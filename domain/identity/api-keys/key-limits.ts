import type { Database } from '../../../db/database.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { AccountCredential } from '../../kernel/account-context.js';
import { Conflict, Forbidden, InvalidInput } from '../../lib/errors.js';

const maxOfAccount = 100;
const maxOfWorkspace = 500;
/** How many ended keys of an account stay listed. */
const endedKept = 200;
/** All keys of an account, with ended ones. An ended key is kept as long as there are keys that were made with it. */
const maxRows = 1_000;

/**
 * Called after the insert, with the account locked; also deletes the oldest ended keys. @throws Conflict
 * `too_many_api_keys`
 */
export async function checkKeyBounds(
  db: Database,
  { accountId, workspaceId }: { accountId: number; workspaceId: number | null },
  now: Date,
  tx: IdentityTx,
): Promise<void> {
  const { apiKeys } = db.identity;
  if ((await apiKeys.countActive({ accountId }, now, tx)) > maxOfAccount) {
    throw tooMany(`The account has ${maxOfAccount} API keys.`);
  }
  if (workspaceId !== null && (await apiKeys.countActive({ workspaceId }, now, tx)) > maxOfWorkspace) {
    throw tooMany(`The workspace has ${maxOfWorkspace} API keys.`);
  }
  await apiKeys.removeEnded(accountId, { now, keep: endedKept }, tx);
  if ((await apiKeys.countAll(accountId, tx)) > maxRows) {
    throw tooMany(`The account has ${maxRows} API keys, with those that have ended.`);
  }
}

function tooMany(message: string): Conflict {
  return new Conflict('too_many_api_keys', message);
}

const dayMs = 86_400_000;
/** The lifetime of a key that is created without an end. */
const defaultDays = 365;
const maxDays = 5 * 365;

/** When a key ends; without `wanted` in a year, or earlier with the credential. @throws InvalidInput, Forbidden */
export function keyEnd(
  wanted: string | null | undefined,
  credential: Pick<AccountCredential, 'expiresAt'>,
  now: Date,
): Date {
  const latest = new Date(now.getTime() + maxDays * dayMs);
  if (wanted == null) {
    const usual = new Date(now.getTime() + defaultDays * dayMs);
    return credential.expiresAt !== null && credential.expiresAt < usual ? credential.expiresAt : usual;
  }
  const end = new Date(wanted);
  if (end <= now) throw InvalidInput.field('/expiresAt', 'must be in the future');
  if (end > latest) throw InvalidInput.field('/expiresAt', 'must be within five years');
  if (credential.expiresAt !== null && end > credential.expiresAt) {
    throw new Forbidden('a later end', 'A key cannot expire later than the key that creates or changes it.');
  }
  return end;
}
