import type { ApiKeyRow } from '../../../db/identity/models/api-key.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { Conflict, Forbidden, NotFound, Unauthenticated } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listApiKeys(
  { db, account, credential }: AccountContext,
  page: PageRequest<'createdAt' | 'name'>,
): Promise<PageOf<ApiKeyRow>> {
  return db.identity.apiKeys.listForAccount(account.id, page, credential.workspaceId);
}

/** A key of the caller. A credential of one workspace sees only keys of that workspace. @throws NotFound */
export async function requireApiKey(
  { db, account, credential }: AccountContext,
  id: number,
  tx?: IdentityTx,
): Promise<ApiKeyRow> {
  const key = await db.identity.apiKeys.findForAccount(account.id, id, tx);
  const visible = credential.workspaceId === null || key?.workspaceId === credential.workspaceId;
  if (key === undefined || !visible) throw new NotFound('API key');
  return key;
}

/** Serializes changes to an account's keys, and checks again that the caller's key is valid. @throws Unauthenticated */
export async function holdKeys({ db, account, credential }: AccountContext, tx: IdentityTx): Promise<void> {
  await db.identity.accounts.lock(account.id, tx);
  if (credential.kind !== 'api_key') return;
  const own = await db.identity.apiKeys.findForAccount(account.id, credential.id, tx);
  if (own === undefined || own.revokedAt !== null) throw new Unauthenticated();
}

/**
 * Locks the keys. A key may change only itself and keys made with it, lest a stolen one revoke others. @throws
 * NotFound, Forbidden
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
  throw new Forbidden('a session', 'An API key can change only itself and the keys created with it.');
}

export function refuseEndedKey(key: ApiKeyRow, now: Date): void {
  const ended = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
  if (ended) throw new Conflict('api_key_ended', 'The key was revoked or has expired.');
}
