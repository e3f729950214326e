import { normalizeEmail } from '../../lib/email.js';

/** Leaves room for a token after the local part, which has 64 characters at most (RFC 5321, 4.5.3.1). */
const localPart = /^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/;
const max = 200;

/** Mailboxes of a domain that belong to its operator (RFC 2142), or that people take for the service itself. */
const operators: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'administrator',
  'billing',
  'hostmaster',
  'mailer-daemon',
  'no-reply',
  'noc',
  'noreply',
  'payments',
  'postmaster',
  'root',
  'security',
  'support',
  'webmaster',
]);

/** Normalizes an address that an inbox may have; null if it cannot have it. It has no plus sign, which sets tokens apart. */
export function normalizeInboxAddress(text: string): string | null {
  const address = normalizeEmail(text);
  if (address === null || address.length > max) return null;
  return localPart.test(localPartOf(address)) ? address : null;
}

export function localPartOf(address: string): string {
  return address.slice(0, address.lastIndexOf('@'));
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** What the operator of the service decides about inboxes. */
export interface InboxPolicy {
  /** The domain for whose addresses the service's own relay sends; undefined: for none. */
  domain: string | undefined;
  /** Addresses of the operator, such as the sender of sign-in codes. */
  reserved: readonly string[];
  /** Whether a mail server may be without encryption: outside of production only. */
  allowsUnencrypted: boolean;
}

/** Whether the service's own relay sends for the address. */
export function isRelayed(address: string, { domain }: Pick<InboxPolicy, 'domain'>): boolean {
  return domain !== undefined && domainOf(address) === domain;
}

/** Whether the address is the operator's. */
export function isReserved(address: string, policy: InboxPolicy): boolean {
  if (policy.reserved.includes(address)) return true;
  return isRelayed(address, policy) && operators.has(localPartOf(address));
}
