import { createHash, randomBytes } from 'node:crypto';

const prefix = 'wmt_';
const form = /^wmt_[A-Za-z0-9_-]{43}$/;

/** How long a member token is valid: it is handed to a browser and used at once. */
export const memberTokenLifetimeMs = 3_600_000;

/** Creates a token of 256 random bits. Only its hash is stored. */
export function createMemberToken(): { token: string; hash: Buffer } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashMemberToken(token) };
}

/** Checks the form, without a database query. */
export function isWellFormedMemberToken(text: string): boolean {
  return form.test(text);
}

export function hashMemberToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
