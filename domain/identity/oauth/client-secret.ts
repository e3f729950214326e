import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretPrefix = 'wess_';
const clientIdPrefix = 'wesc_';

export interface ClientSecret {
  /** The whole secret. Shown once, never stored. */
  secret: string;
  hash: Buffer;
  /** The last four characters, by which people recognize the secret. */
  hint: string;
}

/** Creates the secret of a confidential client: 256 random bits after a prefix by which scanners find leaked ones. */
export function createClientSecret(): ClientSecret {
  const secret = secretPrefix + randomBytes(32).toString('base64url');
  return { secret, hash: hashClientSecret(secret), hint: secret.slice(-4) };
}

/** The hash that is stored. A fast hash is sufficient, because 256 random bits cannot be guessed. */
export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export function createClientId(): string {
  return clientIdPrefix + randomBytes(18).toString('base64url');
}

export interface StoredClientSecret {
  secretHash: Buffer | null;
  formerSecretHash: Buffer | null;
  formerSecretUntil: Date | null;
}

/** Whether a secret is the client's, or the one before while that is still valid. */
export function isClientSecret(stored: StoredClientSecret, secret: string, now: Date): boolean {
  const hash = hashClientSecret(secret);
  const { secretHash, formerSecretHash, formerSecretUntil } = stored;
  const isCurrent = secretHash !== null && timingSafeEqual(secretHash, hash);
  const isFormer = formerSecretHash !== null && timingSafeEqual(formerSecretHash, hash);
  return isCurrent || (isFormer && formerSecretUntil !== null && formerSecretUntil > now);
}
