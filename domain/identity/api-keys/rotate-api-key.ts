import type { ApiKeyRow } from '../../../db/identity/models/api-key.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { createApiKeySecret } from './api-key-secret.js';
import { checkKeyBounds } from './key-limits.js';
import { refuseEndedKey, requireManagedKey } from './own-keys.js';

/**
 * Creates a successor with the same scopes and end; the old key stays valid for the overlap. Rotated by a person, it
 * hands its keys on to the successor. Rotated by a key, it becomes the successor's parent, so that revoking it ends
 * both. @throws NotFound, Forbidden, Conflict if the key has ended or there are too many keys
 */
export async function rotateApiKey(
  context: AccountContext,
  id: number,
  overlapSeconds: number,
): Promise<{ key: ApiKeyRow; secret: string }> {
  const { db, clock, credential } = context;
  const { apiKeys } = db.identity;
  const now = clock.now();
  const { secret, prefix, hash } = createApiKeySecret();
  return db.inIdentity(async (tx) => {
    const before = await requireManagedKey(context, id, tx);
    refuseEndedKey(before, now);
    const byKey = credential.kind === 'api_key';
    const { accountId, workspaceId, name, scopes, expiresAt } = before;
    const parentId = byKey ? id : before.parentId;
    const successor = { accountId, workspaceId, name, scopes, expiresAt, parentId, prefix, hash };
    const key = await apiKeys.insert({ ...successor, createdAt: now }, tx);
    if (!byKey) await apiKeys.handOnChildren(id, key.id, tx);
    const overlapEnds = new Date(now.getTime() + overlapSeconds * 1_000);
    if (expiresAt === null || overlapEnds < expiresAt) {
      await apiKeys.changeReach(id, { expiresAt: overlapEnds }, tx);
    }
    await checkKeyBounds(db, key, now, tx);
    recordAccountAudit(tx, { now, credential }, accountId, 'api_key:rotated', { subject: ['api_key', id] });
    return { key, secret };
  });
}
