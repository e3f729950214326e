import type { IncomingHttpHeaders } from 'node:http';
import { isWellFormedSessionToken } from '../../domain/identity/sessions/session-token.js';
import { Unauthenticated } from '../../domain/lib/errors.js';
import { checkOriginOfWrite, type RequestOrigin } from './check-origin.js';
import { sessionTokenIn } from './session-cookie.js';

type PresentedCredential =
  | { kind: 'bearer'; token: string }
  /** The token is well-formed; it may still be invalid. */
  | { kind: 'session'; token: string };

/**
 * Reads the request's credential: `Authorization`, which a caller sets on purpose, else the cookie.
 * @throws Unauthenticated, Forbidden for a write with a cookie from another origin
 */
export function presentedCredential(request: RequestOrigin): PresentedCredential {
  const { headers } = request;
  const cookie = headers.authorization === undefined ? sessionTokenIn(headers) : undefined;
  if (cookie === undefined || !isWellFormedSessionToken(cookie)) {
    return { kind: 'bearer', token: bearerToken(headers) };
  }
  checkOriginOfWrite(request);
  return { kind: 'session', token: cookie };
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750). @throws Unauthenticated when there is none */
function bearerToken(headers: IncomingHttpHeaders): string {
  const [scheme, token, ...rest] = (headers.authorization ?? '').trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0)
    throw new Unauthenticated();
  return token;
}
