import type { ApiKeyRow } from '../../../db/identity/models/api-key.js';
import { type AccountContext, credentialHasScope } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import type { Scope } from '../../kernel/scopes.js';
import { Forbidden, InvalidInput } from '../../lib/errors.js';
import { createApiKeySecret } from './api-key-secret.js';
import { checkKeyBounds, keyEnd } from './key-limits.js';
import { holdKeys } from './own-keys.js';

export interface NewApiKeyInput {
  name: string;
  scopes: readonly Scope[];
  /** Null or left out: in a year, or with the credential that creates the key if that expires earlier. */
  expiresAt?: string | null;
  /** Null or left out: the key is valid for all workspaces that the credential is valid for. */
  workspaceId?: number | null;
}

/**
 * Creates a key that can do no more than its creator, and ends with it if that is a key. @throws Forbidden,
 * InvalidInput, Conflict
 */
export async function createApiKey(
  context: AccountContext,
  input: NewApiKeyInput,
): Promise<{ key: ApiKeyRow; secret: string }> {
  const { db, clock, account, credential } = context;
  for (const scope of input.scopes) {
    if (!credentialHasScope(credential, scope)) {
      throw new Forbidden(
        scope,
        `The credential lacks the scope ${scope} and cannot grant it.`,
        'insufficient_scope',
      );
    }
  }
  const now = clock.now();
  const expiresAt = keyEnd(input.expiresAt, credential, now);
  const workspaceId = await workspaceOf(context, input.workspaceId ?? null);
  const { secret, prefix, hash } = createApiKeySecret();
  return db.inIdentity(async (tx) => {
    await holdKeys(context, tx);
    const key = await db.identity.apiKeys.insert(
      {
        accountId: account.id,
        workspaceId,
        parentId: credential.kind === 'api_key' ? credential.id : null,
        name: input.name,
        prefix,
        hash,
        scopes: [...new Set(input.scopes)],
        expiresAt,
        createdAt: now,
      },
      tx,
    );
    await checkKeyBounds(db, key, now, tx);
    recordAccountAudit(tx, { now, credential }, account.id, 'api_key:created', {
      subject: ['api_key', key.id],
      names: key.scopes,
    });
    return { key, secret };
  });
}

async function workspaceOf(
  { db, account, credential }: AccountContext,
  wanted: number | null,
): Promise<number | null> {
  if (credential.workspaceId !== null && wanted !== null && wanted !== credential.workspaceId) {
    throw new Forbidden('another workspace', 'The credential is limited to one workspace.');
  }
  const workspaceId = wanted ?? credential.workspaceId;
  if (workspaceId === null) return null;
  if ((await db.identity.memberships.findByAccount(workspaceId, account.id)) === undefined) {
    throw InvalidInput.field('/workspaceId', 'must be a workspace of which you are a member');
  }
  return workspaceId;
}
