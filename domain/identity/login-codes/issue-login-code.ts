import { randomBytes } from 'node:crypto';
import type { IdentityTx } from '../../../db/database.js';
import type { LoginCodeRow, NewLoginCode } from '../../../db/identity/login-codes.js';
import { refusalOfCode } from '../../channels/outreach/gate.js';
import { beginLoginCodeRun } from '../../kernel/runs.js';
import { Conflict, type DomainError } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { hashIdentifier, type LoginIdentifier } from './login-identifier.js';
import { countAll, countedCodes, requesterOf } from './login-limits.js';

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

/**
 * Counts a request for a code, and checks with the outreach gate whether the code could be sent. A refusal reveals
 * nothing about who has the address: it depends only on the requester, and on opt-outs sent from the phone number
 * itself.
 *
 * @returns the error to throw after the transaction has committed the count
 */
export async function refusalOfRequest(
  context: AnonymousContext,
  tx: IdentityTx,
  identifier: LoginIdentifier,
): Promise<DomainError | undefined> {
  const counted = countedCodes(context, hashIdentifier(context.secret, identifier));
  const tooMany = await countAll(context, tx, counted);
  if (tooMany !== undefined) return tooMany;
  const { channel, address: recipient } = identifier;
  const refusal = await refusalOfCode(tx, context.db.identity, { channel, recipient });
  if (refusal === undefined) return undefined;
  return new Conflict(
    refusal,
    'This phone number has unsubscribed from sign-in codes by text message. Send START from it to the number that the codes came from, or use an email address.',
  );
}
