import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { issueLoginCode } from './issue-login-code.js';

/**
 * Executes the same statements whether or not the address is known; the run finds out later (decisions 27 and 43).
 * @throws InvalidInput, TooManyRequests, Conflict `opted_out`
 */
export async function requestLoginCode(
  context: AnonymousContext,
  input: { email?: string; phone?: string },
): Promise<{ uuid: string; expiresAt: Date }> {
  const { accounts, claims } = context.db.identity;
  return issueLoginCode(context, input, async (tx, { channel, address }) => {
    const [account, claimant] = await Promise.all([
      accounts.findByAddress(channel, address, tx),
      claims.findFirst(channel, address, tx),
    ]);
    if (account !== undefined) return { accountId: account.id };
    return claimant === undefined
      ? {}
      : { claimantWorkspaceId: claimant.workspaceId, claimantMemberId: claimant.memberId };
  });
}
