import { randomBytes } from 'node:crypto';
import { domainOf, localPartOf } from '../inboxes/inbox-address.js';

/*
 * The addresses of an inbox with tokens: `desk+r.TOKEN@clinic.example` in Reply-To, `desk+b.TOKEN@…` in the envelope, to which
 * what was not delivered is reported. Lower case, because mail servers may change the case of the local part.
 */

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const tokenLength = 26;
const marks = { reply: 'r', return: 'b' } as const;
const form = /^([a-z0-9._-]+)\+([rb])\.([a-z2-7]{26})@([a-z0-9.-]+)$/;

export type PlusAddressKind = keyof typeof marks;

/** Makes a token of 130 random bits, of lower-case letters and digits. */
export function makeToken(): string {
  return [...randomBytes(tokenLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

export function plusAddress(inboxAddress: string, kind: PlusAddressKind, token: string): string {
  return `${localPartOf(inboxAddress)}+${marks[kind]}.${token}@${domainOf(inboxAddress)}`;
}

/** Reads an address that `plusAddress` made; undefined for any other. The token may be unknown. */
export function readPlusAddress(
  address: string,
): { inboxAddress: string; kind: PlusAddressKind; token: string } | undefined {
  const [, local, mark, token, domain] = form.exec(address.trim().toLowerCase()) ?? [];
  if (local === undefined || token === undefined) return undefined;
  return { inboxAddress: `${local}@${domain}`, kind: mark === 'r' ? 'reply' : 'return', token };
}
