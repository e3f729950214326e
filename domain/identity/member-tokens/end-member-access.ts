import type { AnyTx, Database } from '../../../db/database.js';
import type { Claimant } from '../../../db/identity/claims.js';

/**
 * Ends what lets anybody in as one of these members without a proof: their unused tokens and the sessions made of tokens.
 * In this order, so that a token that is being used has become a session by then.
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
