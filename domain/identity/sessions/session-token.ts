import { createHash, randomBytes } from 'node:crypto';

const form = /^[A-Za-z0-9_-]{43}$/;

/** Creates a session token of 256 random bits. Only its hash is stored; the token exists only in the cookie. */
export function createSessionToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashSessionToken(token) };
}

/** Checks the form, without a database query. */
export function isWellFormedSessionToken(text: string): boolean {
  return form.test(text);
}

/** The hash that is stored. A fast hash is sufficient, because 256 random bits cannot be guessed. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
