import { hashApiKey, isWellFormedApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';

const useNotedEveryMs = 60_000;

/** The columns that both look-ups of an API key return. */
interface StoredKey {
  id: number;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/**
 * Returns the hash under which the key is stored. @throws Unauthenticated when the token cannot be a key, without a
 * query
 */
export function apiKeyHash(token: string): Buffer {
  if (!isWellFormedApiKey(token)) throw new Unauthenticated();
  return hashApiKey(token);
}

/** Checks a key that was found, and records its use without delaying the request. @throws Unauthenticated */
export function acceptApiKey({ db, clock }: ServiceContext, key: StoredKey, accountEnabled: boolean): void {
  const now = clock.now();
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  if (expired || key.revokedAt !== null || !accountEnabled) throw new Unauthenticated();

  const noteUnlessSince = new Date(now.getTime() - useNotedEveryMs);
  if (key.lastUsedAt === null || key.lastUsedAt < noteUnlessSince) {
    // The date shows people which keys are in use. The request neither waits for this update nor fails with it.
    db.identity.apiKeys.touch(key.id, now, noteUnlessSince).catch(() => {});
  }
}
