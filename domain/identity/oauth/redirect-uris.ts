import { InvalidInput } from '../../lib/errors.js';
import { parseUrl } from '../../lib/parse-url.js';

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)*:$/;
/** Schemes that a browser runs or opens by itself, rather than a program of the person's device. */
const refusedSchemes = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'sms:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

/** Why an address cannot be a redirect of an OAuth client (RFC 9700, section 2.1; RFC 8252, section 7); undefined if it can. */
export function problemOfRedirectUri(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return 'must be an absolute URL';
  if (text.includes('#')) return 'must have no fragment';
  if (url.username !== '' || url.password !== '') return 'must contain no credentials';
  if (text.includes('*')) return 'must not contain *, because redirects are compared exactly';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return loopbackHosts.has(url.hostname) ? undefined : 'must use https, except on the loopback address';
  }
  const isPrivate = privateScheme.test(url.protocol) && !refusedSchemes.has(url.protocol);
  return isPrivate ? undefined : 'must use https, or a scheme of an installed program';
}

/** Whether an address leads to a program on the person's device. */
export function isNativeRedirect(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined || url.protocol === 'https:') return false;
  return url.protocol !== 'http:' || loopbackHosts.has(url.hostname);
}

/** Programs that run on the person’s device and on the web register both kinds in one list. @throws InvalidInput naming the address */
export function checkRedirectUris(uris: readonly string[]): void {
  for (const [place, uri] of uris.entries()) {
    const problem = problemOfRedirectUri(uri);
    if (problem !== undefined) throw InvalidInput.field(`/redirectUris/${place}`, problem);
  }
  // A page of the web at a loopback address is on no device but the developer's.
  const place = uris.findIndex(
    (uri) => loopbackHosts.has(parseUrl(uri)?.hostname ?? '') && uri.startsWith('https:'),
  );
  if (place >= 0 && uris.some(isNativeRedirect)) {
    throw InvalidInput.field(
      `/redirectUris/${place}`,
      'must use http on the loopback address, beside addresses of a program',
    );
  }
}
