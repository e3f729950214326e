import type { IncomingHttpHeaders } from 'node:http';
import { Forbidden } from '../../domain/lib/errors.js';

/** The part of a request that tells where it was sent from. */
export interface RequestOrigin {
  method: string;
  headers: IncomingHttpHeaders;
  /** The origin of the service's public address. */
  ownOrigin: string;
}

/**
 * A browser sends the cookie with whatever a page asks for, so a write made with it has to come from a page of ours:
 * each of `Origin` and `Sec-Fetch-Site` that is there must say so, and one has to be there.
 *
 * @throws Forbidden `origin_not_allowed`
 */
export function checkOriginOfWrite(request: RequestOrigin): void {
  if (isSafe(request.method)) return;
  if (!saysOrigin(request.headers)) throw originNotAllowed();
  checkOriginIfTold(request);
}

/**
 * For writes that hand out a cookie instead of using one: no other page may sign a browser in as somebody else. What is
 * no browser tells no origin, and may.
 *
 * @throws Forbidden `origin_not_allowed`
 */
export function checkOriginIfTold({ method, headers, ownOrigin }: RequestOrigin): void {
  if (isSafe(method)) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const foreign = (origin !== undefined && origin !== ownOrigin) || (site ?? 'same-origin') !== 'same-origin';
  if (foreign) throw originNotAllowed();
}

function saysOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function originNotAllowed(): Forbidden {
  return new Forbidden(
    'origin',
    'With a session cookie, changes are made from pages of this service only.',
    'origin_not_allowed',
  );
}
