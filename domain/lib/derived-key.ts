import { hkdfSync } from 'node:crypto';

/**
 * Derives a 32-byte key for one use of a secret (HKDF, RFC 5869), so that one use reveals nothing about another.
 *
 * @param use names the use; the same name always gives the same key
 */
export function derivedKey(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}
