import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

export type DomainProblem = 'malformed' | 'address' | 'suffix' | 'own_host';

/** Why a domain cannot be that of a site, for people. */
export const domainProblems: Readonly<Record<DomainProblem, string>> = {
  malformed: 'must be a domain such as www.example.com, without https:// and without a path',
  address: 'must be a domain, and no IP address',
  suffix: 'must be below a public suffix such as com or co.uk, and not one itself',
  own_host: 'must not be an address of the service itself',
};

const labelForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const maxDomainLength = 253;

/**
 * A domain as it is stored and looked up: in punycode (RFC 3492), lower case, without a final dot. Letters that look like others
 * stay apart in it.
 */
export function canonicalDomain(text: string): string | undefined {
  const trimmed = text.endsWith('.') ? text.slice(0, -1) : text;
  if (trimmed.length > maxDomainLength || /[\s/:@?#%\\]/.test(trimmed)) return undefined;
  const ascii = domainToASCII(trimmed);
  const labels = ascii.split('.');
  const isDomain =
    ascii.length <= maxDomainLength && labels.length >= 2 && labels.every((one) => labelForm.test(one));
  return isDomain ? ascii : undefined;
}

/** Returns a domain in canonical form, or why it cannot be that of a site. @param host of the service */
export function checkDomain(text: string, host: string): { domain: string } | { problem: DomainProblem } {
  if (isIP(text.replace(/^\[|\]$/g, '')) !== 0) return { problem: 'address' };
  const domain = canonicalDomain(text);
  if (domain === undefined) return { problem: 'malformed' };
  // A name whose last label is a number is read as an address (WHATWG URL).
  if (isIP(domain) !== 0 || /^(\d+|0x[0-9a-f]*)$/.test(domain.split('.').at(-1) ?? ''))
    return { problem: 'address' };
  const own = canonicalDomain(host);
  if (own !== undefined && (domain === own || domain.endsWith(`.${own}`))) return { problem: 'own_host' };
  const { domain: registrable } = parse(domain, { allowPrivateDomains: true });
  return registrable === null ? { problem: 'suffix' } : { domain };
}
