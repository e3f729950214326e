import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../../lib/encryption.js';

const codes = 1_000_000;
const codeLength = 6;

/** The input that a code is derived from, in addition to the secret. */
export interface CodeSource {
  /** Returned to the requester of the code. */
  uuid: string;
  /** Random and never disclosed; null for a code made by the previous release. */
  nonce: Buffer | null;
}

/**
 * The secret of the deployment. Codes are derived from it and a random column: neither it nor the database alone
 * reveals them, and a retry sends the same code. Addresses are hashed with it, because plain hashes of phone numbers
 * can be reversed. Each use has a key of its own (RFC 5869).
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

  /** The six digits of a login code. The remainder of 2^48 values has no noticeable bias. */
  codeOf({ uuid, nonce }: CodeSource): string {
    const mac = createHmac('sha256', this.#codeKey).update(uuid);
    if (nonce !== null) mac.update(nonce);
    return String(mac.digest().readUIntBE(0, 6) % codes).padStart(codeLength, '0');
  }

  /** Whether these are the right digits, compared in constant time. */
  isCodeOf(source: CodeSource, given: string): boolean {
    const expected = Buffer.from(this.codeOf(source));
    const compared = Buffer.from(given);
    return expected.length === compared.length && timingSafeEqual(expected, compared);
  }

  /** A keyed hash of an address or of another counted value. `kind` separates equal values of different kinds. */
  hash(kind: string, value: string): Buffer {
    return createHmac('sha256', this.#hashKey).update(`${kind}\n${value}`).digest();
  }

  /** Signs the content of the cookie of a browser that has signed in. */
  signDevice(body: string): Buffer {
    return createHmac('sha256', this.#deviceKey).update(body).digest();
  }
}
