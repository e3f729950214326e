import type { ApiKeyRow } from '../../db/identity/api-keys.js';
import type { SessionInWorkspace } from '../../db/identity/sessions.js';
import { hashApiKey, isWellFormedApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import { isOpen, useNotedEveryMs } from '../../domain/identity/sessions/session-lifetime.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';

const keyUseNotedEveryMs = 60_000;

type StoredKey = Pick<ApiKeyRow, 'id' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>;

/** The hash under which a key is stored. @throws Unauthenticated for a text that cannot be a key */
export function apiKeyHash(token: string): Buffer {
  if (!isWellFormedApiKey(token)) throw new Unauthenticated();
  return hashApiKey(token);
}

/** Checks a key that was found, and records its use without delaying the request. @throws Unauthenticated */
export function acceptApiKey({ db, clock }: ServiceContext, key: StoredKey, accountEnabled: boolean): void {
  const now = clock.now();
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  if (expired || key.revokedAt !== null || !accountEnabled) throw new Unauthenticated();

  const noteUnlessSince = new Date(now.getTime() - keyUseNotedEveryMs);
  if (key.lastUsedAt === null || key.lastUsedAt < noteUnlessSince) {
    // The date shows people which keys are in use. The request neither waits for this update nor fails with it.
    db.identity.apiKeys.touch(key.id, now, noteUnlessSince).catch(() => {});
  }
}

type StoredSession = Pick<SessionInWorkspace, 'id' | 'lastUsedAt' | 'expiresAt' | 'endedAt' | 'ofMember'>;

/**
 * Checks a session that was found, and records its use without delaying the request. `accountEnabled` is null for a
 * member without an account. @throws Unauthenticated
 */
export function acceptSession(
  { db, clock }: ServiceContext,
  session: StoredSession,
  accountEnabled: boolean | null,
): void {
  const now = clock.now();
  if (!isOpen(session, now) || accountEnabled === false) throw new Unauthenticated();

  const noteUnlessSince = new Date(now.getTime() - useNotedEveryMs);
  if (session.lastUsedAt <= noteUnlessSince) {
    // The request neither waits for this update nor fails with it: the next request repeats it.
    db.identity.sessions.touch(session.id, now, noteUnlessSince).catch(() => {});
  }
}
