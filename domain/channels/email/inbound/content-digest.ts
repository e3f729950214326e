import { createHash, type Hash } from 'node:crypto';
import type { HeaderField } from './headers.js';

/** What every copy of a mail has, whichever way it came; servers on the way add and change other fields. */
const lasting = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'content-type',
  'content-transfer-encoding',
  'auto-submitted',
]);

/**
 * Begins the digest by which copies of one mail are recognised; the body is to be added. A Message-ID alone would let a
 * sender suppress the mail of another by writing the same one, and so would a copy that came without proof of its sender.
 */
export function beginDigest(fields: readonly HeaderField[], provedBy: string | null): Hash {
  const kept = fields.filter(({ name }) => lasting.has(name)).map(({ name, value }) => [name, folded(value)]);
  return createHash('sha256').update(JSON.stringify([provedBy, kept]));
}

/** Servers fold lines as they like. */
function folded(value: string): string {
  return value.replace(/\s+/g, ' ');
}
