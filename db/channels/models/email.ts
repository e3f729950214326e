import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** An email that was queued or received. Ids of messages are without angle brackets. */
export class EmailModel extends tenantTable('emails', {
  uuid: column<string>(),
  inboxId: column<number>(),
  chatId: column<number | null>(),
  /** The message of the chat, not the header. */
  messageId: column<number | null>(),
  /** Of outgoing mail: one email for each recipient. */
  deliveryId: column<number | null>(),
  direction: column<'in' | 'out'>('code'),
  /** The Message-ID (RFC 5322); of outgoing mail ours, the same in each attempt. */
  rfcMessageId: column<string | null>('id'),
  /** The Message-ID that the relay has put in place of ours. */
  relayMessageId: column<string | null>('id'),
  inReplyTo: column<string | null>('id'),
  /** Oldest first. Those of outgoing mail end with its own id. */
  referenceIds: column<string[]>('ids'),
  subject: column<string>('personal'),
  fromAddress: column<string>('personal'),
  fromName: column<string>('personal'),
  toAddress: column<string>('personal'),
  /** In the address that replies go to. It says which chat is meant, and proves nothing of the sender. */
  replyToken: column<string | null>('token'),
  /** In the envelope's sender, to which relays report what was not delivered. */
  returnToken: column<string | null>('token'),
  /** In the link that unsubscribes; null where there is none. */
  unsubscribeToken: column<string | null>('token'),
  /** Since when the tokens find nothing any more. */
  tokensRevokedAt: column<Date | null>(),
  /** The latest attempt to send it that has begun, 0 before the first; null: received, or not known. */
  begunAttempt: column<number | null>(),
  /** Whether no person has written it. */
  automatic: column<boolean>(),
  createdAt: column<Date>(),
}) {}

export type EmailRow = RowOf<EmailModel>;
