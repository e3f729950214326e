import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../../../domain/lib/encryption.js';

/**
 * Tokens in the forms of pages. Each is bound to the session of the browser and to nothing that another page could know,
 * so that no other page can send a form in the name of the person (CSRF), beside the check of the origin.
 */
export class FormTokens {
  readonly #keys: readonly Buffer[];

  /** @param secrets the current one first */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => derivedKey(secret, 'tokens of forms'));
  }

  tokenFor(sessionToken: string): string {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('There is no key.');
    return digest(key, sessionToken).toString('base64url');
  }

  isValid(token: string, sessionToken: string): boolean {
    const given = Buffer.from(token, 'base64url');
    return this.#keys.some((key) => {
      const expected = digest(key, sessionToken);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

function digest(key: Buffer, sessionToken: string): Buffer {
  return createHmac('sha256', key).update(sessionToken).digest();
}
