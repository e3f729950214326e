import { hashApiKey, isWellFormedApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';

const useNotedEveryMs = 60_000;

/** What is common to both look-ups of a key. */
interface StoredKey {
  id: number;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** The hash to look a key up by. @throws Unauthenticated when it cannot be a key, without asking the database */
export function apiKeyHash(token: string): Buffer {
  if (!isWellFormedApiKey(token)) throw new Unauthenticated();
  return hashApiKey(token);
}

/** Takes a found key as good, and notes its use beside the request. @throws Unauthenticated */
export function acceptApiKey({ db, clock }: ServiceContext, key: StoredKey, accountEnabled: boolean): void {
  const now = clock.now();
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  if (expired || key.revokedAt !== null || !accountEnabled) throw new Unauthenticated();

  const noteUnlessSince = new Date(now.getTime() - useNotedEveryMs);
  if (key.lastUsedAt === null || key.lastUsedAt < noteUnlessSince) {
    // The date is for people to see which keys are in use; a request does not wait for it, or fail by it.
    db.identity.apiKeys.touch(key.id, now, noteUnlessSince).catch(() => {});
  }
}
