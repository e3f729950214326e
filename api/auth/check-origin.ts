import type { IncomingHttpHeaders } from 'node:http';
import type { RequestSource } from '../../domain/kernel/audit/record-audit.js';
import { Forbidden } from '../../domain/lib/errors.js';

export interface RequestOrigin {
  method: string;
  headers: IncomingHttpHeaders;
  ownOrigin: string;
  /** The resource that an OAuth token has to be for (RFC 8707); without it, OAuth tokens are refused. */
  resource?: string;
  /** For the audit log. */
  source?: RequestSource | undefined;
}

/**
 * Checks the origin of a write that uses the session cookie, which a browser adds to requests of any page (CSRF). One
 * of `Origin` and `Sec-Fetch-Site` must be present, and each must name this service.
 * @throws Forbidden `origin_not_allowed`
 */
export function checkOriginOfWrite(request: RequestOrigin): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (!isSafe(request.method) && origin === undefined && site === undefined) throw originNotAllowed();
  checkOriginIfTold(request);
}

/**
 * Checks the origin of a write that sets a cookie, so that no other page can sign a browser in as another person (login
 * CSRF). A client without an origin is no browser. @throws Forbidden `origin_not_allowed`
 */
export function checkOriginIfTold({ method, headers, ownOrigin }: RequestOrigin): void {
  if (isSafe(method)) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const foreign = (origin !== undefined && origin !== ownOrigin) || (site ?? 'same-origin') !== 'same-origin';
  if (foreign) throw originNotAllowed();
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function originNotAllowed(): Forbidden {
  const why = 'Changes with a session cookie are accepted only from pages of this service.';
  return new Forbidden('origin', why, 'origin_not_allowed');
}
