import { isIP } from 'node:net';
import { parseUrl } from '../../domain/lib/parse-url.js';

export type AddressProblemCode = 'invalid_url' | 'https_required' | 'address_refused' | 'dns_failed';

/** The reason why nothing is sent to an address. */
export interface AddressProblem {
  code: AddressProblemCode;
  /** A sentence for the person who entered the address. It does not quote the address. */
  detail: string;
}

/** Nothing is sent to this address. The message is a code, because an address may contain a token. */
export class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress';

  constructor(readonly problem: AddressProblem) {
    super(problem.code);
  }
}

/** Where to connect, by the URL standard: `http://0x7f.1` is 127.0.0.1. */
export interface WebhookTarget {
  secure: boolean;
  /** A name, or an address without brackets. */
  hostname: string;
  port: number;
  /** With the query. */
  path: string;
}

/**
 * Names that mean something else on each network (RFC 6761, 6762, 8375), or that the cloud around the service resolves.
 */
const localDomains = ['localhost', 'local', 'internal', 'home.arpa'];

/**
 * The maximum lengths of names and their labels (RFC 1035, 2.3.4). No trailing dot, which certificates do not match.
 */
const hostForm = /^(?=.{1,253}$)[^.]{1,63}(?:\.[^.]{1,63})*$/;

/** Parses the URL of a receiver. @throws UnusableAddress */
export function readWebhookUrl(text: string, requireHttps: boolean): WebhookTarget {
  // The URL standard ignores line breaks and treats a backslash as a slash, which legitimate addresses do not contain.
  const url = /[\s\\\p{Cc}]/u.test(text) ? undefined : parseUrl(text);
  if (url === undefined) throw invalid('The address is not a valid URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid(`The address has to begin with https://${requireHttps ? '' : ' or http://'}.`);
  }
  if (url.protocol === 'http:' && requireHttps) {
    throw new UnusableAddress({ code: 'https_required', detail: 'The address has to begin with https://.' });
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('The address may not hold a user name or password.');
  }
  if (url.port === '0') throw invalid('The address names a port that does not exist.');
  const secure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!hostForm.test(hostname)) throw invalid('The host name is not valid.');
  return {
    secure,
    hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
  };
}

export function isLocalhost(hostname: string): boolean {
  return isWithin(hostname, 'localhost');
}

/** Whether a name has a meaning on the local network only. */
export function isLocalName(hostname: string): boolean {
  if (isIP(hostname) !== 0) return false;
  return !hostname.includes('.') || localDomains.some((domain) => isWithin(hostname, domain));
}

function isWithin(hostname: string, domain: string): boolean {
  const name = hostname.toLowerCase();
  return name === domain || name.endsWith(`.${domain}`);
}

function invalid(detail: string): UnusableAddress {
  return new UnusableAddress({ code: 'invalid_url', detail });
}
