import type { FieldError } from '../lib/errors.js';
import { parseUrl } from '../lib/parse-url.js';

/** The most hosts that a workspace allows. */
export const maxRequestHosts = 50;

/** Checks hosts that requests go to: exact names in lower case, with a port only if it is not 443. */
export function checkRequestHosts(hosts: readonly string[], pointer: string): FieldError[] {
  return hosts.flatMap((host, index) => {
    if (hosts.indexOf(host) < index) return [{ pointer: `${pointer}/${index}`, message: 'is listed twice' }];
    const isHost = !/[*/?#@\\\s]/.test(host) && parseUrl(`https://${host}/`)?.host === host;
    return isHost
      ? []
      : [{ pointer: `${pointer}/${index}`, message: 'must be an exact host such as api.example.com' }];
  });
}
