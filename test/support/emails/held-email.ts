import { randomBytes } from 'node:crypto';
import {
  type InboundEmailRow,
  insertInboundEmail,
  patchInboundEmail,
} from '../../../db/channels/inbound-emails.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import type { Tx } from '../../../db/tx.js';

/** A mail that waits for a person since a time. */
export async function addHeldEmail(
  tx: Tx,
  inbox: InboxRow,
  since: Date,
  values: Partial<InboundEmailRow> = {},
): Promise<InboundEmailRow> {
  const mail = { objectId: null, digest: randomBytes(16), bytes: 1, fromAddress: null, proved: false };
  const row = await insertInboundEmail(tx, { ...mail, inboxId: inbox.id, receivedAt: since });
  if (row === undefined) throw new Error('the mail is a copy');
  const held = { state: 'held', reason: 'sender_unproved', needsResponse: true, settledAt: since } as const;
  return patchInboundEmail(tx, row.id, { ...held, ...values });
}
