import { randomBytes } from 'node:crypto';
import type { IdentityTx } from '../../../db/database.js';
import type { LoginCodeRow, NewLoginCode } from '../../../db/identity/login-codes.js';
import { beginLoginCodeRun } from '../../kernel/runs.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import type { LoginIdentifier } from './login-identifier.js';
import { hashIdentifier } from './login-identifier.js';
import { requesterOf } from './login-limits.js';

const lifetimeMs = 10 * 60_000;
const keptAfterwardsMs = 24 * 3_600_000;
const nonceBytes = 16;

/**
 * Creates a code for an identifier and starts its run. The code supersedes earlier ones that the same requester
 * requested for the identifier.
 */
export async function issueLoginCode(
  context: AnonymousContext,
  tx: IdentityTx,
  identifier: LoginIdentifier,
  holder: Partial<
    Pick<
      NewLoginCode,
      'accountId' | 'claimantWorkspaceId' | 'claimantMemberId' | 'forAccountId' | 'newAddress'
    >
  >,
): Promise<LoginCodeRow> {
  const { db, clock, secret } = context;
  const { loginCodes, loginLimits } = db.identity;
  const now = clock.now();
  const identifierHash = hashIdentifier(secret, identifier);
  const code = await loginCodes.insert(
    {
      accountId: null,
      claimantWorkspaceId: null,
      claimantMemberId: null,
      forAccountId: null,
      newAddress: null,
      ...holder,
      channel: identifier.channel,
      identifierHash,
      requesterHash: requesterOf(context, identifierHash).hash,
      nonce: randomBytes(nonceBytes),
      expiresAt: new Date(now.getTime() + lifetimeMs),
      createdAt: now,
    },
    tx,
  );
  await beginLoginCodeRun(tx, code);
  await loginCodes.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx);
  await loginLimits.removeExpired(now, tx);
  return code;
}
