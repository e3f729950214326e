import type { FieldError } from '../../lib/errors.js';
import { parseUrl } from '../../lib/parse-url.js';

export const mostAllowedOrigins = 20;

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Validates the allowed origins of a workspace. They are exact: no path, no wildcard, no default port. */
export function originErrors(
  origins: readonly string[],
  { localHttp }: { localHttp: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, origin] of origins.entries()) {
    const pointer = `/allowedOrigins/${index}`;
    if (origins.indexOf(origin) < index) errors.push({ pointer, message: 'is listed twice' });
    else if (!isOrigin(origin, localHttp)) {
      errors.push({ pointer, message: 'must be an exact origin such as https://app.example.com' });
    }
  }
  return errors;
}

function isOrigin(text: string, localHttp: boolean): boolean {
  const url = parseUrl(text);
  if (url === undefined || text.includes('*')) return false;
  const { protocol, hostname, origin } = url;
  if (origin !== text) return false;
  return protocol === 'https:' || (localHttp && protocol === 'http:' && localHosts.includes(hostname));
}
