import type { AccountRow } from '../../db/identity/accounts.js';
import type { CredentialKind } from './actor.js';
import type { ServiceContext } from './context.js';
import type { Scope } from './scopes.js';

/** The credential an account came with. */
export interface AccountCredential {
  kind: CredentialKind;
  id: number;
  /** Null means not cut down (a session). */
  scopes: ReadonlySet<string> | null;
  /** The one workspace it is good for; null when it is good for all of the account's. */
  workspaceId: number | null;
  /** When a key ends; null for one that does not, and for a session, whose owner is there in person. */
  expiresAt: Date | null;
  /** When a session began. */
  begunAt?: Date;
}

/** What a command about the caller's account needs besides its input. */
export interface AccountContext extends ServiceContext {
  account: AccountRow;
  credential: AccountCredential;
}

/** Whether the credential's scopes name this; sessions are not cut down. */
export function credentialHasScope(credential: Pick<AccountCredential, 'scopes'>, scope: Scope): boolean {
  return credential.scopes === null || credential.scopes.has(scope);
}
