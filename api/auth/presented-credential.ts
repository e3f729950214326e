import { isWellFormedSessionToken } from '../../domain/identity/sessions/session-token.js';
import { bearerToken } from './bearer.js';
import { checkOriginOfWrite, type RequestOrigin } from './check-origin.js';
import { sessionTokenIn } from './session-cookie.js';

/** How the caller says who it is. Not looked up yet. */
export type PresentedCredential =
  | { kind: 'bearer'; token: string }
  /** The token has the form of one. */
  | { kind: 'session'; token: string };

/**
 * What the request comes with. `Authorization` is what a caller chose to send, a cookie comes by itself: the first wins.
 *
 * @throws Unauthenticated when there is nothing, Forbidden for a write by cookie from elsewhere
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
