import { beginLoginCodeRun } from '../runs.js';
import type { VisitorContext } from '../sessions/visitor-context.js';
import { hashIdentifier, loginIdentifier } from './login-identifier.js';
import { countAll, loginLimits } from './login-limits.js';

const lifetimeMs = 10 * 60_000;
const keptAfterwardsMs = 24 * 3_600_000;

/**
 * Asks for a code to sign in with. What is done here is the same, statement by statement, whether or not an account
 * has the address, or a member says that it is theirs: the run that is started finds out, where nobody can see or measure
 * it. An address that neither has is sent nothing, and no account comes of it (decisions 27 and 43).
 *
 * @throws InvalidInput, TooManyRequests
 */
export async function requestLoginCode(
  context: VisitorContext,
  input: { email?: string; phone?: string },
): Promise<{ uuid: string; expiresAt: Date }> {
  const { db, clock, secret, visitor } = context;
  const identifier = loginIdentifier(input);
  const identifierHash = hashIdentifier(secret, identifier);
  const now = clock.now();
  const { accounts, claims, loginCodes, loginLimits: limits } = db.identity;

  const outcome = await db.inIdentity(async (tx) => {
    const refusal = await countAll(context, tx, [
      { key: secret.hash('codes by address', visitor.address), limit: loginLimits.codesPerAddress },
      {
        key: secret.hash('codes by identifier', identifierHash.toString('hex')),
        limit: loginLimits.codesPerIdentifier,
      },
    ]);
    if (refusal !== undefined) return { refusal };
    const { channel, address } = identifier;
    const [account, claimant] = await Promise.all([
      accounts.findByAddress(channel, address, tx),
      claims.findFirst(channel, address, tx),
    ]);
    const code = await loginCodes.insert(
      {
        accountId: account?.id ?? null,
        claimantWorkspaceId: account === undefined ? (claimant?.workspaceId ?? null) : null,
        claimantMemberId: account === undefined ? (claimant?.memberId ?? null) : null,
        channel,
        identifierHash,
        expiresAt: new Date(now.getTime() + lifetimeMs),
        createdAt: now,
      },
      tx,
    );
    await beginLoginCodeRun(tx, code);
    await loginCodes.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx);
    await limits.removeExpired(now, tx);
    return { code };
  });
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return { uuid: outcome.code.uuid, expiresAt: outcome.code.expiresAt };
}
