import { createHash } from 'node:crypto';

/** The hash under which a code, token or cookie of the authorization server is stored: SHA-256, as each has 256 random bits. */
export function hashOfIssued(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
