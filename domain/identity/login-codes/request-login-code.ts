import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { refusalOfRequest } from './admit-request.js';
import { issueLoginCode } from './issue-login-code.js';
import { loginIdentifier } from './login-identifier.js';

/**
 * Asks for a code to sign in with. What is done here is the same, statement by statement, whether or not an account
 * has the address, or a member says that it is theirs: the run that is started finds out, where nobody can see or measure
 * it. An address that neither has is sent nothing, and no account comes of it (decisions 27 and 43).
 *
 * @throws InvalidInput, TooManyRequests, Conflict `opted_out`
 */
export async function requestLoginCode(
  context: AnonymousContext,
  input: { email?: string; phone?: string },
): Promise<{ uuid: string; expiresAt: Date }> {
  const { db } = context;
  const identifier = loginIdentifier(input);
  const { accounts, claims } = db.identity;

  const outcome = await db.inIdentity(async (tx) => {
    const refusal = await refusalOfRequest(context, tx, identifier);
    if (refusal !== undefined) return { refusal };
    const { channel, address } = identifier;
    const [account, claimant] = await Promise.all([
      accounts.findByAddress(channel, address, tx),
      claims.findFirst(channel, address, tx),
    ]);
    const holder =
      account === undefined
        ? {
            claimantWorkspaceId: claimant?.workspaceId ?? null,
            claimantMemberId: claimant?.memberId ?? null,
          }
        : { accountId: account.id };
    return { code: await issueLoginCode(context, tx, identifier, holder) };
  });
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return { uuid: outcome.code.uuid, expiresAt: outcome.code.expiresAt };
}
