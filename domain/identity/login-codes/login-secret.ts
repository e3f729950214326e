import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../../lib/derived-key.js';

const codes = 1_000_000;
const codeLength = 6;

/** What a code is derived from, beside the secret. */
export interface CodeSource {
  /** Whoever asks for the code is told it. */
  uuid: string;
  /** Random, and told to nobody; null for a code that the last release made. */
  nonce: Buffer | null;
}

/**
 * What the deployment alone knows. Codes are derived from it and from a random column, and stored nowhere: neither the
 * secret nor the database gives them away alone, and sending again sends the same. Addresses are hashed with it, since
 * plain hashes of phone numbers are undone by trying them all. Keys are derived (RFC 5869), so that no use says anything
 * about another.
 */
export class LoginSecret {
  readonly #codeKey: Buffer;
  readonly #hashKey: Buffer;
  readonly #deviceKey: Buffer;

  constructor(secret: string) {
    this.#codeKey = derivedKey(secret, 'login codes');
    this.#hashKey = derivedKey(secret, 'login identifiers');
    this.#deviceKey = derivedKey(secret, 'login devices');
  }

  /** The six digits of a login code. Of 2^48 values the remainder prefers none noticeably. */
  codeOf({ uuid, nonce }: CodeSource): string {
    const mac = createHmac('sha256', this.#codeKey).update(uuid);
    if (nonce !== null) mac.update(nonce);
    return String(mac.digest().readUIntBE(0, 6) % codes).padStart(codeLength, '0');
  }

  /** Whether these are the digits; takes as long whichever of them are wrong. */
  isCodeOf(source: CodeSource, given: string): boolean {
    const expected = Buffer.from(this.codeOf(source));
    const compared = Buffer.from(given);
    return expected.length === compared.length && timingSafeEqual(expected, compared);
  }

  /** A keyed hash of an address or whatever else is counted; `kind` keeps apart what happens to look the same. */
  hash(kind: string, value: string): Buffer {
    return createHmac('sha256', this.#hashKey).update(`${kind}\n${value}`).digest();
  }

  /** The signature of what a browser that signed in keeps about itself. */
  signDevice(body: string): Buffer {
    return createHmac('sha256', this.#deviceKey).update(body).digest();
  }
}
