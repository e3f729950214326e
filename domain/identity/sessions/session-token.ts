import { createHash, randomBytes } from 'node:crypto';

const form = /^[A-Za-z0-9_-]{43}$/;

/** A session's token, of 256 random bits: once in the cookie, never stored. */
export function createSessionToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashSessionToken(token) };
}

/** Whether this can be a token at all. */
export function isWellFormedSessionToken(text: string): boolean {
  return form.test(text);
}

/** What is stored. A fast hash will do: 256 random bits cannot be guessed. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
