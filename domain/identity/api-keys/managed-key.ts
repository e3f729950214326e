import type { IdentityTx } from '../../../db/database.js';
import type { ApiKeyRow } from '../../../db/identity/api-keys.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { Conflict, Forbidden, Unauthenticated } from '../../lib/errors.js';
import { requireApiKey } from './require-api-key.js';

/**
 * Has changes to an account's keys happen one after the other until the transaction ends, and looks again whether the
 * key that the caller came with is good: it may have been revoked meanwhile.
 *
 * @throws Unauthenticated
 */
export async function holdKeys({ db, account, credential }: AccountContext, tx: IdentityTx): Promise<void> {
  await db.identity.accounts.lock(account.id, tx);
  if (credential.kind !== 'api_key') return;
  const own = await db.identity.apiKeys.findForAccount(account.id, credential.id, tx);
  if (own === undefined || own.revokedAt !== null) throw new Unauthenticated();
}

/**
 * A key that the caller may change, with the account's keys held: one who is signed in changes all keys of the account; a
 * key changes itself and what was made with it, so that a stolen one cannot end those that reach further.
 *
 * @throws NotFound, Forbidden
 */
export async function requireManagedKey(
  context: AccountContext,
  id: number,
  tx: IdentityTx,
): Promise<ApiKeyRow> {
  await holdKeys(context, tx);
  const key = await requireApiKey(context, id, tx);
  const { credential, db } = context;
  const isManaged =
    credential.kind !== 'api_key' || (await db.identity.apiKeys.isInTree(id, credential.id, tx));
  if (isManaged) return key;
  throw new Forbidden('a session', 'A key changes itself and the keys that were made with it only.');
}

/** @throws Conflict `api_key_ended` */
export function refuseEndedKey(key: ApiKeyRow, now: Date): void {
  const ended = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
  if (ended) throw new Conflict('api_key_ended', 'The key was revoked or has expired.');
}
