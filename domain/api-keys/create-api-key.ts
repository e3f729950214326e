import type { ApiKeyRow } from '../../db/identity/api-keys.js';
import { type AccountContext, credentialHasScope } from '../accounts/account-context.js';
import { Forbidden, InvalidInput } from '../errors.js';
import type { Scope } from '../scopes.js';
import { createApiKeySecret } from './api-key-secret.js';

export interface NewApiKeyInput {
  name: string;
  scopes: readonly Scope[];
  /** Null or left out: the key does not expire, or with the one it is made with. */
  expiresAt?: string | null;
  /** Null or left out: the key is good for all of the account's workspaces. */
  workspaceId?: number | null;
}

/** Makes a key that can do no more than the credential it is made with. The secret is never seen again. */
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
  const expiresAt = input.expiresAt == null ? credential.expiresAt : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw InvalidInput.field('/expiresAt', 'must be in the future');
  }
  if (credential.expiresAt !== null && expiresAt !== null && expiresAt > credential.expiresAt) {
    throw new Forbidden('a later end', 'A key cannot outlive the one that it is made with.');
  }

  const { secret, prefix, hash } = createApiKeySecret();
  const key = await db.identity.apiKeys.insert({
    accountId: account.id,
    workspaceId: await workspaceOf(context, input.workspaceId ?? null),
    name: input.name,
    prefix,
    hash,
    scopes: [...new Set(input.scopes)],
    expiresAt,
    createdAt: clock.now(),
  });
  return { key, secret };
}

async function workspaceOf(
  { db, account, credential }: AccountContext,
  wanted: number | null,
): Promise<number | null> {
  if (credential.workspaceId !== null && wanted !== null && wanted !== credential.workspaceId) {
    throw new Forbidden('another workspace', 'The credential is good for one workspace only.');
  }
  const workspaceId = wanted ?? credential.workspaceId;
  if (workspaceId === null) return null;
  if ((await db.identity.memberships.findByAccount(workspaceId, account.id)) === undefined) {
    throw InvalidInput.field('/workspaceId', 'must be a workspace of which you are a member');
  }
  return workspaceId;
}
