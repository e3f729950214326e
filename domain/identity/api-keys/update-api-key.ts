import type { ApiKeyRow } from '../../../db/identity/models/api-key.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { givenNames, recordAccountAudit } from '../../kernel/audit/record-audit.js';
import type { Scope } from '../../kernel/scopes.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { keyEnd } from './key-limits.js';
import { refuseEndedKey, requireManagedKey } from './own-keys.js';

export interface ApiKeyChanges {
  name?: string;
  /** A subset of the current scopes of the key. */
  scopes?: readonly Scope[];
  expiresAt?: string;
}

/**
 * Changes a key. Scopes can only be removed. Keys made with this one lose them too and end no later.
 * @throws NotFound, Forbidden, InvalidInput, Conflict for a key that has ended
 */
export async function updateApiKey(
  context: AccountContext,
  id: number,
  changes: ApiKeyChanges,
): Promise<ApiKeyRow> {
  const { db, clock, account, credential } = context;
  const { name, scopes } = changes;
  return db.inIdentity(async (tx) => {
    const key = await requireManagedKey(context, id, tx);
    const { apiKeys } = db.identity;
    if (name !== undefined) await apiKeys.rename(id, name, tx);
    if (scopes !== undefined || changes.expiresAt !== undefined) {
      const now = clock.now();
      refuseEndedKey(key, now);
      if (scopes?.some((scope) => !key.scopes.includes(scope))) {
        throw InvalidInput.field('/scopes', 'must be some of those that the key has: it cannot gain any');
      }
      const expiresAt = changes.expiresAt == null ? undefined : keyEnd(changes.expiresAt, credential, now);
      await apiKeys.changeReach(id, { expiresAt }, tx);
      await apiKeys.narrowTree(id, { scopes, expiresAt }, tx);
    }
    const changed = await apiKeys.findForAccount(account.id, id, tx);
    if (changed === undefined) throw new NotFound('API key');
    const note = { subject: ['api_key', id], names: givenNames(changes) } as const;
    recordAccountAudit(tx, { now: clock.now(), credential }, account.id, 'api_key:updated', note);
    return changed;
  });
}
