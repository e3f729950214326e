import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes for one use of a secret (RFC 5869), so that no use says anything about another.
 *
 * @param use names the use; the same words give the same key, for good
 */
export function derivedKey(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}
