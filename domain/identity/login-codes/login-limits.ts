import type { IdentityTx } from '../../../db/database.js';
import type { LoginLimit } from '../../../db/identity/login-limits.js';
import type { ServiceContext } from '../../kernel/context.js';
import { TooManyRequests } from '../../lib/errors.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { readDevice } from './known-device.js';

const hour = 3_600_000;

/** Wrong tries at one code. */
export const mostWrongTries = 5;

/**
 * Six digits bear so many guesses. Strangers have sixty a day at one identifier, which succeed once in 45 years; a browser
 * that has signed in by the identifier before has ten more of its own (decision 27).
 */
export const loginLimits = {
  codesPerAddress: { most: 30, withinMs: hour },
  codesPerRequester: { most: 5, withinMs: hour },
  codesPerIdentifier: { most: 15, withinMs: hour },
  wrongTriesPerAddress: { most: 50, withinMs: hour },
  wrongTriesPerRequester: { most: 10, withinMs: 24 * hour },
  wrongTriesPerIdentifier: { most: 60, withinMs: 24 * hour },
} as const satisfies Record<string, LoginLimit>;

/** One more of something that is counted: who by, and how much of it there may be. */
export interface Counted {
  key: Buffer;
  limit: LoginLimit;
}

/** Wrong tries are given back to these when a try turns out right, or at a code that is good for nothing. */
export interface CountedTries {
  /** All that is tried from one IP address; null for a browser that signed in before. */
  byAddress: Counted | null;
  /** What one requester tries at one identifier. */
  byRequester: Counted | null;
  /** What all strangers try at one identifier. */
  byIdentifier: Counted | null;
}

/**
 * Who asks with an identifier, as far as it is counted: a browser that has signed in by it before, wherever it is now, or
 * an IP address. So a stranger uses up a quota of its own before that of all strangers.
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

/** What is counted where a code is asked for. */
export function countedCodes(context: AnonymousContext, identifierHash: Buffer): Counted[] {
  const { secret, visitor } = context;
  const { isKnown, hash } = requesterOf(context, identifierHash);
  const byRequester = {
    key: secret.hash('codes by requester', hash.toString('hex')),
    limit: loginLimits.codesPerRequester,
  };
  if (isKnown) return [byRequester];
  return [
    { key: secret.hash('codes by address', visitor.address), limit: loginLimits.codesPerAddress },
    byRequester,
    {
      key: secret.hash('codes by identifier', identifierHash.toString('hex')),
      limit: loginLimits.codesPerIdentifier,
    },
  ];
}

/** What is counted where a code is tried; the identifier is unknown where there is no such code. */
export function countedTries(context: AnonymousContext, identifierHash: Buffer | undefined): CountedTries {
  const { secret, visitor } = context;
  const byAddress = {
    key: secret.hash('tries by address', visitor.address),
    limit: loginLimits.wrongTriesPerAddress,
  };
  if (identifierHash === undefined) return { byAddress, byRequester: null, byIdentifier: null };
  const { isKnown, hash } = requesterOf(context, identifierHash);
  const byRequester = {
    key: secret.hash('tries by requester', hash.toString('hex')),
    limit: loginLimits.wrongTriesPerRequester,
  };
  if (isKnown) return { byAddress: null, byRequester, byIdentifier: null };
  const byIdentifier = {
    key: secret.hash('tries by identifier', identifierHash.toString('hex')),
    limit: loginLimits.wrongTriesPerIdentifier,
  };
  return { byAddress, byRequester, byIdentifier };
}

/**
 * Counts each, in this order, until one is too much.
 * @returns the error to throw once the transaction is over, so that what was counted stays counted
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
