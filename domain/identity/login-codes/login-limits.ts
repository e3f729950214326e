import type { LoginLimit } from '../../../db/identity/login-limits.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { TooManyRequests } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { readDevice } from './known-device.js';

const hour = 3_600_000;

/** The maximum number of wrong tries of one code. */
export const maxWrongTries = 5;

/** How many codes there are: for a requester with an address, for all strangers with it, and for a source of requests. */
const codesOf = { requester: 1, identifier: 3, address: 6 } as const;

/** Wrong tries. Sixty a day of all strangers at one identifier guess a code once in 45 years (decision 27). */
const loginLimits = {
  wrongTriesPerAddress: { most: 50, withinMs: hour },
  wrongTriesPerRequester: { most: 10, withinMs: 24 * hour },
  wrongTriesPerIdentifier: { most: 60, withinMs: 24 * hour },
} as const satisfies Record<string, LoginLimit>;

export interface Counted {
  key: Buffer;
  limit: LoginLimit;
}

/**
 * The counters of a try. A right try is taken back and resets `byRequester`; a try of an unusable code is taken back
 * from `byRequester` and `byIdentifier`.
 */
export interface CountedTries {
  /** All tries from one IP address; null for a browser that has signed in before. */
  byAddress: Counted | null;
  /** The tries of one requester at one identifier. */
  byRequester: Counted | null;
  /** The tries of all strangers together at one identifier. */
  byIdentifier: Counted | null;
}

/**
 * Identifies the requester for counting: a browser that has signed in with the identifier before, or an IP address. So
 * a stranger exhausts its own quota before that of all strangers.
 */
export function requesterOf(
  { secret, visitor, clock }: AnonymousContext,
  identifierHash: Buffer,
): { isKnown: boolean; hash: Buffer } {
  const device = readDevice(secret, visitor.deviceToken, clock.now());
  const isKnown = device?.identifiers.includes(identifierHash.toString('base64url')) ?? false;
  const who = isKnown ? `device ${device?.id}` : `address ${visitor.address}`;
  return { isKnown, hash: secret.hash('login requester', `${who}\n${identifierHash.toString('hex')}`) };
}

/** The counters of a request for a code; none if the operator has set no limit. */
export function countedCodes(context: AnonymousContext, identifierHash: Buffer): Counted[] {
  const { loginCodesPerHour } = context.policy;
  if (loginCodesPerHour === 0) return [];
  const { isKnown, hash } = requesterOf(context, identifierHash);
  const countedBy = (who: keyof typeof codesOf, value: string | Buffer) =>
    counted(context, `codes by ${who}`, value, { most: loginCodesPerHour * codesOf[who], withinMs: hour });
  const byRequester = countedBy('requester', hash);
  if (isKnown) return [byRequester];
  return [
    countedBy('address', context.visitor.address),
    byRequester,
    countedBy('identifier', identifierHash),
  ];
}

/** The counters of a try. The identifier is undefined if there is no such code. */
export function countedTries(context: AnonymousContext, identifierHash: Buffer | undefined): CountedTries {
  const { address } = context.visitor;
  const byAddress = counted(context, 'tries by address', address, loginLimits.wrongTriesPerAddress);
  if (identifierHash === undefined) return { byAddress, byRequester: null, byIdentifier: null };
  const { isKnown, hash } = requesterOf(context, identifierHash);
  const byRequester = counted(context, 'tries by requester', hash, loginLimits.wrongTriesPerRequester);
  if (isKnown) return { byAddress: null, byRequester, byIdentifier: null };
  const { wrongTriesPerIdentifier } = loginLimits;
  const byIdentifier = counted(context, 'tries by identifier', identifierHash, wrongTriesPerIdentifier);
  return { byAddress, byRequester, byIdentifier };
}

function counted(
  { secret }: AnonymousContext,
  kind: string,
  value: string | Buffer,
  limit: LoginLimit,
): Counted {
  return { key: secret.hash(kind, typeof value === 'string' ? value : value.toString('hex')), limit };
}

/**
 * Increments the counters until one is full. @returns the error to throw after the transaction, which keeps the counts
 */
export async function countAll(
  { db, clock }: ServiceContext,
  tx: IdentityTx,
  counted: readonly (Counted | null)[],
): Promise<TooManyRequests | undefined> {
  const now = clock.now();
  for (const one of counted) {
    if (one === null) continue;
    const freeAt = await db.identity.loginLimits.take(one.key, one.limit, now, tx);
    if (freeAt === undefined) continue;
    const seconds = Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1_000));
    return new TooManyRequests('There were too many attempts to sign in.', seconds);
  }
  return undefined;
}
