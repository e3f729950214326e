import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InboxRow } from '../../../db/channels/inboxes.js';

const prefix = 'wes_in_';
/** How long the earlier secret stays valid after a rotation. */
export const secretOverlapMs = 24 * 3_600_000;

/** Makes the secret with which mail is handed in to an inbox, and its hash, which alone is stored. */
export function makeInboundSecret(): { secret: string; hash: Buffer } {
  const secret = prefix + randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** Whether this is the secret of an inbox, or the earlier one within a day of its rotation. */
export function isInboundSecret(
  inbox: Pick<InboxRow, 'inboundSecretHash' | 'previousSecretHash' | 'previousSecretUntil'>,
  given: string,
  now: Date,
): boolean {
  const hash = hashOf(given);
  const { inboundSecretHash, previousSecretHash, previousSecretUntil } = inbox;
  if (timingSafeEqual(hash, inboundSecretHash)) return true;
  if (previousSecretHash === null || previousSecretUntil === null || previousSecretUntil <= now) return false;
  return timingSafeEqual(hash, previousSecretHash);
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
