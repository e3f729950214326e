import type { AccountRow } from '../../db/identity/models/account.js';
import { Forbidden } from '../lib/errors.js';
import type { CredentialKind } from './actor.js';
import type { RequestSource } from './audit/record-audit.js';
import type { ServiceContext } from './context.js';
import type { Scope } from './scopes.js';

export interface AccountCredential {
  kind: CredentialKind;
  id: number;
  /** Null: not restricted (a session). */
  scopes: ReadonlySet<string> | null;
  /** The only workspace that the credential is valid for; null if it is valid for all workspaces of the account. */
  workspaceId: number | null;
  /** The organization whose identity provider has begun the session, and in which alone it is good; null: another credential. */
  organizationId: number | null;
  /** When an API key expires; null for a key that does not, and for a session, whose owner is present in person. */
  expiresAt: Date | null;
  /** When a session began. */
  begunAt?: Date;
  /** Where the request came from; undefined where there is none. */
  source?: RequestSource | undefined;
}

export interface AccountContext extends ServiceContext {
  account: AccountRow;
  credential: AccountCredential;
}

/** Whether the credential has the scope. Sessions are not restricted by scopes. */
export function credentialHasScope(credential: Pick<AccountCredential, 'scopes'>, scope: Scope): boolean {
  return credential.scopes === null || credential.scopes.has(scope);
}

/**
 * An identity provider speaks for its organization, and not for a person's account: what is about the account, or leads out
 * of the organization, needs another credential. @throws Forbidden `session_by_provider`
 */
export function requireOwnCredential({ organizationId }: { organizationId?: number | null }): void {
  if ((organizationId ?? null) === null) return;
  const why =
    'This session began by the identity provider of an organization, and is good there only. Sign in with a code.';
  throw new Forbidden('a session of your own', why, 'session_by_provider');
}

/** Keys, tokens and identity providers are not the person. @throws Forbidden `session_required`, `session_by_provider` */
export function requireSession({ credential }: Pick<AccountContext, 'credential'>): void {
  requireOwnCredential(credential);
  if (credential.kind === 'session') return;
  throw new Forbidden('session', 'This requires a session. Sign in with a code.', 'session_required');
}

/** Operations outside of any single workspace are not available to API keys. @throws Forbidden */
export function requireSuperuser({ account, credential }: AccountContext): void {
  requireOwnCredential(credential);
  if (!account.isSuperuser || credential.kind !== 'session') {
    throw new Forbidden('superuser', 'This requires the session of a superuser.', 'superuser_required');
  }
}
