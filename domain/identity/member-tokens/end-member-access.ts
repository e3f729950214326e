import type { AnyTx, Database } from '../../../db/database.js';
import type { Claimant } from '../../../db/identity/claims.js';

/**
 * Ends the access to these members that was granted without proof of identity: their unused tokens, and the sessions
 * made from tokens. Tokens are removed first: one that is being used concurrently has become a session by then.
 */
export async function endMemberAccess(
  { identity }: Pick<Database, 'identity'>,
  tx: AnyTx,
  members: readonly Claimant[],
  now: Date,
): Promise<void> {
  if (members.length === 0) return;
  await identity.memberTokens.removeUnusedOf(members, tx);
  await identity.sessions.endAllOf(members, now, tx);
}
