import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { OAuthKeyRow } from '../../../db/identity/models/oauth-key.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';

/** A private key as a JSON Web Key (RFC 7517). */
export interface SigningKey {
  kid: string;
  kty: string;
  alg: string;
  use: string;
  [parameter: string]: unknown;
}

type Context = Pick<ServiceContext, 'db' | 'clock'> & { encryption: Encryption };

const hourMs = 3_600_000;
const rotatedEveryMs = 90 * 24 * hourMs;
/** How long a key is published before it signs: others keep the key set for up to an hour. */
const announcedMs = 2 * hourMs;
/** How long a key is published after its successor signs: an ID token lives for an hour. */
const keptMs = 24 * hourMs;

/**
 * The published keys, the one that signs first. Creates the first key, and a successor when the latest is old; concurrent
 * processes create one.
 */
export async function signingKeys({ db, clock, encryption }: Context): Promise<SigningKey[]> {
  const now = clock.now();
  const listed = await db.identity.oauthKeys.list(now);
  const keys = isDue(listed[0], now) ? await createKey({ db, clock, encryption }) : listed;
  return ordered(keys, now).map(
    (key) => JSON.parse(encryption.decrypt(key.privateKey, contextOf(key.kid))) as SigningKey,
  );
}

function isDue(latest: OAuthKeyRow | undefined, now: Date): boolean {
  return latest === undefined || now.getTime() - latest.createdAt.getTime() > rotatedEveryMs;
}

/** The latest key that may sign comes first; those that are only announced come last. */
function ordered(keys: readonly OAuthKeyRow[], now: Date): OAuthKeyRow[] {
  const signing = keys.filter(({ signsFrom }) => signsFrom <= now);
  const announced = keys.filter(({ signsFrom }) => signsFrom > now);
  return [...signing, ...announced];
}

async function createKey({ db, clock, encryption }: Context): Promise<OAuthKeyRow[]> {
  const { oauthKeys } = db.identity;
  return db.inIdentity(async (tx) => {
    await oauthKeys.hold(tx);
    const now = clock.now();
    const before = await oauthKeys.list(now, tx);
    if (!isDue(before[0], now)) return before;
    const kid = randomUUID();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
    const signsFrom = before.length === 0 ? now : new Date(now.getTime() + announcedMs);
    await oauthKeys.insert(
      { kid, privateKey: encryption.encrypt(JSON.stringify(jwk), contextOf(kid)), createdAt: now, signsFrom },
      tx,
    );
    await oauthKeys.expireOthers(kid, new Date(signsFrom.getTime() + keptMs), tx);
    await oauthKeys.removeExpired(now, tx);
    return oauthKeys.list(now, tx);
  });
}

function contextOf(kid: string): string {
  return `OAuth key ${kid}`;
}
