import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../lib/encryption.js';

/** How long an address is valid at least, and how much longer at most. */
const validSeconds = 900;
const roundedSeconds = 300;

/**
 * Signs what an address is for, and until when, with a key of its own kind. No row is needed: an HMAC says that the
 * service made the address.
 */
export class AddressSigner {
  readonly #keys: readonly Buffer[];

  /** @param secrets the one that signs, and others that signed before it */
  constructor(secrets: readonly string[], kind: string) {
    this.#keys = secrets.map((secret) => derivedKey(secret, kind));
  }

  /**
   * @param seconds how long the address is valid at least
   * @returns the same for some minutes, so that browsers can use their copies
   */
  sign(
    parts: readonly (string | number)[],
    now: Date,
    seconds: number = validSeconds,
  ): { expires: number; signature: string } {
    const expires = expiryAt(now, seconds);
    const [key] = this.#keys;
    if (key === undefined) throw new Error('there is no secret to sign addresses with');
    return { expires, signature: hmac(key, [...parts, expires]).toString('base64url') };
  }

  /** An address that was altered is told apart from one that has expired, in constant time. */
  check(
    parts: readonly (string | number)[],
    { expires, signature }: { expires: number; signature: string },
    now: Date,
  ): 'valid' | 'expired' | 'altered' {
    const given = Buffer.from(signature, 'base64url');
    const isOurs = this.#keys
      .map((key) => hmac(key, [...parts, expires]))
      .map((expected) => given.length === expected.length && timingSafeEqual(given, expected));
    if (!isOurs.includes(true)) return 'altered';
    return expires * 1_000 > now.getTime() ? 'valid' : 'expired';
  }
}

/** When the addresses of this moment begin to be valid, and for how long they are: the same for some minutes. */
export function validityAt(now: Date): { from: Date; seconds: number } {
  const rounded = roundedSeconds * 1_000;
  const from = new Date(Math.floor(now.getTime() / rounded) * rounded);
  return { from, seconds: roundedSeconds + validSeconds };
}

function expiryAt(now: Date, seconds: number): number {
  return validityAt(now).from.getTime() / 1_000 + roundedSeconds + seconds;
}

function hmac(key: Buffer, parts: readonly (string | number)[]): Buffer {
  return createHmac('sha256', key).update(parts.join('\n')).digest();
}
