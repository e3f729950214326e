import { createHash, randomBytes } from 'node:crypto';

const prefix = 'wsh_';
const form = /^wsh_[A-Za-z0-9_-]{43}$/;

/** Creates the token of a link, of 256 random bits. Only its hash is stored. */
export function createShareToken(): { token: string; hash: Buffer } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashShareToken(token) };
}

/** Checks the form, without a database query. */
export function isWellFormedShareToken(text: string): boolean {
  return form.test(text);
}

export function hashShareToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
