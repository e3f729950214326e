import type { IncomingHttpHeaders } from 'node:http';
import { Unauthenticated } from '../../domain/lib/errors.js';

/** Returns the token of `Authorization: Bearer …` (RFC 6750). @throws Unauthenticated when there is none */
export function bearerToken(headers: IncomingHttpHeaders): string {
  const [scheme, token, ...rest] = (headers.authorization ?? '').trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0)
    throw new Unauthenticated();
  return token;
}
