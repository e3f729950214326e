import type { IdentityTx } from '../../../db/database.js';
import { refusalOfCode } from '../../channels/outreach/gate.js';
import { Conflict, type DomainError } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { hashIdentifier, type LoginIdentifier } from './login-identifier.js';
import { countAll, countedCodes } from './login-limits.js';

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
