import type { Database, Tx } from '../../../db/database.js';
import { createMemberToken, memberTokenLifetimeMs } from './member-token.js';
import type { TokenGrants } from './token-grants.js';

const keptAfterwardsMs = 24 * 3_600_000;

/** Creates a token for a member, in the transaction that has checked that the member may have one (`mayHaveToken`). */
export async function mintMemberToken(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  memberId: number,
  grants: TokenGrants,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + memberTokenLifetimeMs);
  const { token, hash } = createMemberToken();
  await Promise.all([
    identity.memberTokens.insert({ hash, memberId, ...grants, expiresAt, createdAt: now }, tx),
    identity.memberTokens.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx),
  ]);
  return { token, expiresAt };
}
