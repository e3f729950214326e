import type { SessionOwner } from '../../../db/identity/sessions.js';
import type { AccountCredential } from '../../kernel/account-context.js';
import type { ServiceContext } from '../../kernel/context.js';

/** What commands about the caller's own sessions need besides their input. */
export interface SessionsContext extends ServiceContext {
  owner: SessionOwner;
  credential: AccountCredential;
  /** The session that the caller came with; null with another credential. */
  currentSessionId: number | null;
}
