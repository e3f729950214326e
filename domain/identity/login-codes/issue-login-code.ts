import { randomBytes } from 'node:crypto';
import type { NewLoginCode } from '../../../db/identity/login-codes.js';
import type { LoginCodeRow } from '../../../db/identity/models/login-code.js';
import type { IdentityTx } from '../../../db/tx.js';
import { refusalOfCode } from '../../channels/outreach/gate.js';
import { beginLoginCodeRun } from '../../kernel/runs.js';
import { Conflict, type DomainError } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { hashIdentifier, type LoginIdentifier, loginIdentifier } from './login-identifier.js';
import { countAll, countedCodes, requesterOf } from './login-limits.js';

const lifetimeMs = 10 * 60_000;
const keptAfterwardsMs = 24 * 3_600_000;
const nonceBytes = 16;

/** To whom a code belongs. Without a holder it is not sent. */
type CodeHolder = Partial<
  Pick<NewLoginCode, 'accountId' | 'claimantWorkspaceId' | 'claimantMemberId' | 'forAccountId' | 'newAddress'>
>;

/** Counts a request, creates a code and starts its run. @throws InvalidInput, TooManyRequests, Conflict `opted_out` */
export async function issueLoginCode(
  context: AnonymousContext,
  input: { email?: string; phone?: string },
  holderOf: (tx: IdentityTx, identifier: LoginIdentifier) => Promise<CodeHolder>,
): Promise<Pick<LoginCodeRow, 'uuid' | 'expiresAt'>> {
  const identifier = loginIdentifier(input);
  const outcome = await context.db.inIdentity(async (tx) => {
    const refusal = await refusalOfRequest(context, tx, identifier);
    if (refusal !== undefined) return { refusal };
    return { code: await createCode(context, tx, identifier, await holderOf(tx, identifier)) };
  });
  // Thrown only now, so that the count is kept.
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return outcome.code;
}

/** Creates a code and starts its run. It supersedes those that the same requester requested for the identifier. */
async function createCode(
  context: AnonymousContext,
  tx: IdentityTx,
  identifier: LoginIdentifier,
  holder: CodeHolder,
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
 * Depends only on the requester and on opt-outs sent from the number itself, so it reveals nothing about the address.
 */
async function refusalOfRequest(
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
