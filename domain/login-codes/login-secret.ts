import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../derived-key.js';

const codes = 1_000_000;
const codeLength = 6;

/**
 * What the deployment alone knows. Codes are derived from it and stored nowhere, so that the database cannot give
 * them away and sending again sends the same; addresses are hashed with it, since plain hashes of phone numbers are
 * undone by trying them all. Two keys are derived (RFC 5869), so that neither use says anything about the other.
 */
export class LoginSecret {
  readonly #codeKey: Buffer;
  readonly #hashKey: Buffer;

  constructor(secret: string) {
    this.#codeKey = derivedKey(secret, 'login codes');
    this.#hashKey = derivedKey(secret, 'login identifiers');
  }

  /** The six digits of a login code. Of 2^48 values the remainder prefers none noticeably. */
  codeOf(loginCodeUuid: string): string {
    const number = createHmac('sha256', this.#codeKey).update(loginCodeUuid).digest().readUIntBE(0, 6);
    return String(number % codes).padStart(codeLength, '0');
  }

  /** Whether these are the digits; takes as long whichever of them are wrong. */
  isCodeOf(loginCodeUuid: string, given: string): boolean {
    const expected = Buffer.from(this.codeOf(loginCodeUuid));
    const compared = Buffer.from(given);
    return expected.length === compared.length && timingSafeEqual(expected, compared);
  }

  /** A keyed hash of an address or whatever else is counted; `kind` keeps apart what happens to look the same. */
  hash(kind: string, value: string): Buffer {
    return createHmac('sha256', this.#hashKey).update(`${kind}\n${value}`).digest();
  }
}
