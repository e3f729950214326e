import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { issueLoginCode, refusalOfRequest } from './issue-login-code.js';
import { loginIdentifier } from './login-identifier.js';

/**
 * Requests a code to sign in with. Executes the same statements whether or not an account or a member has the address:
 * the run finds that out later, where it can be neither observed nor timed. An unknown address is sent nothing, and no
 * account is created for it (decisions 27 and 43).
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
