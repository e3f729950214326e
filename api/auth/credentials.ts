import type { IncomingHttpHeaders } from 'node:http';
import type { ApiKeyRow } from '../../db/identity/models/api-key.js';
import type { AccessTokenInForce } from '../../db/identity/oauth-access-tokens.js';
import type { SessionInWorkspace } from '../../db/identity/sessions.js';
import { hashApiKey, isWellFormedApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import { isOpen, useNotedEveryMs } from '../../domain/identity/sessions/session-lifetime.js';
import { isWellFormedSessionToken } from '../../domain/identity/sessions/session-token.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { Unauthenticated } from '../../domain/lib/errors.js';
import { checkOriginOfWrite, type RequestOrigin } from './check-origin.js';
import { sessionTokenIn } from './session-cookie.js';

/**
 * Reads the credential, which may be invalid: `Authorization`, which a caller sets on purpose, else the cookie.
 * @throws Unauthenticated, Forbidden for a write with a cookie from another origin
 */
export function presentedCredential(request: RequestOrigin): { kind: 'bearer' | 'session'; token: string } {
  const { headers } = request;
  const cookie = headers.authorization === undefined ? sessionTokenIn(headers) : undefined;
  if (cookie === undefined || !isWellFormedSessionToken(cookie)) {
    return { kind: 'bearer', token: bearerToken(headers) };
  }
  checkOriginOfWrite(request);
  return { kind: 'session', token: cookie };
}

const toSend = 'send "Authorization: Bearer <key>", with an API key or a token.';

/** Returns the token of `Authorization: Bearer …` (RFC 6750). @throws Unauthenticated when there is none */
export function bearerToken(headers: IncomingHttpHeaders): string {
  const { authorization } = headers;
  if (authorization === undefined)
    throw new Unauthenticated(`The header Authorization is missing: ${toSend}`);
  const [scheme, token, ...rest] = authorization.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0)
    throw new Unauthenticated(`The header Authorization has another form: ${toSend}`);
  return token;
}

const recordUseEveryMs = 60_000;

const oauthTokenForm = /^[A-Za-z0-9_-]{43}$/;

/** Whether a bearer token has the form of an access token of the authorization server. API keys are shorter. */
export function isOAuthToken(token: string): boolean {
  return oauthTokenForm.test(token);
}

/** Checks an OAuth token that was found, and records its use. @throws Unauthenticated */
export function acceptOAuthToken(
  { db, clock }: ServiceContext,
  token: AccessTokenInForce,
  resource: string | undefined,
): void {
  const now = clock.now();
  const isInForce = token.expiresAt > now && token.revokedAt === null && token.accountEnabled;
  if (!isInForce || token.resource !== resource) throw new Unauthenticated();
  const recordUnlessSince = new Date(now.getTime() - recordUseEveryMs);
  if (token.lastUsedAt === null || token.lastUsedAt < recordUnlessSince) {
    // The request neither waits for this update, which shows people what is used, nor fails with it.
    db.identity.oauthGrants.touch(token.id, now, recordUnlessSince).catch(() => {});
  }
}

type StoredKey = Pick<ApiKeyRow, 'id' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>;

/** The hash under which a key is stored. @throws Unauthenticated for a text that cannot be a key */
export function apiKeyHash(token: string): Buffer {
  if (!isWellFormedApiKey(token)) throw new Unauthenticated();
  return hashApiKey(token);
}

/** Checks a key that was found, and records its use. @throws Unauthenticated */
export function acceptApiKey({ db, clock }: ServiceContext, key: StoredKey, accountEnabled: boolean): void {
  const now = clock.now();
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  if (expired || key.revokedAt !== null || !accountEnabled) throw new Unauthenticated();

  const recordUnlessSince = new Date(now.getTime() - recordUseEveryMs);
  if (key.lastUsedAt === null || key.lastUsedAt < recordUnlessSince) {
    // The request neither waits for this update, which shows people which keys are in use, nor fails with it.
    db.identity.apiKeys.touch(key.id, now, recordUnlessSince).catch(() => {});
  }
}

type StoredSession = Pick<SessionInWorkspace, 'id' | 'lastUsedAt' | 'expiresAt' | 'endedAt' | 'ofMember'>;

/**
 * Checks a session that was found, and records its use. `accountEnabled`: null without account. @throws Unauthenticated
 */
export function acceptSession(
  { db, clock }: ServiceContext,
  session: StoredSession,
  accountEnabled: boolean | null,
): void {
  const now = clock.now();
  if (!isOpen(session, now) || accountEnabled === false) throw new Unauthenticated();

  const recordUnlessSince = new Date(now.getTime() - useNotedEveryMs);
  if (session.lastUsedAt <= recordUnlessSince) {
    // The request neither waits for this update nor fails with it: the next request repeats it.
    db.identity.sessions.touch(session.id, now, recordUnlessSince).catch(() => {});
  }
}
