import type { SessionOwner } from '../../../db/identity/sessions.js';
import type { AccountCredential } from '../../kernel/account-context.js';
import type { ServiceContext } from '../../kernel/context.js';

/** The context of commands about the caller's own sessions. */
export interface SessionsContext extends ServiceContext {
  owner: SessionOwner;
  credential: AccountCredential;
  /** The session of the request; null with another kind of credential. */
  currentSessionId: number | null;
}
