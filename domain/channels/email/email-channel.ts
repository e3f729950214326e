import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { insertEmailOptOut } from '../../../db/channels/email-opt-outs.js';
import { findEmailOfDelivery, patchEmail } from '../../../db/channels/emails.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { normalizeEmail } from '../../lib/email.js';
import type { DeliveryChannel, Route, UndeliverableReason } from '../deliveries/channel.js';
import { watchOptOut } from '../outreach/record-opt-out.js';
import { inboxOfChat } from './inbox-of-chat.js';
import { recordEmail } from './record-email.js';
import { explainEmailError } from './smtp-replies.js';

export const emailChannel: DeliveryChannel = {
  // People read mail once a day, and servers that defer it may do so for hours.
  lifeSpanMs: 24 * 3_600_000,
  isOvertaken: false,
  needsPlace: true,
  hasReceipts: false,
  failuresCallPerson: true,
  route,
  explain: explainEmailError,
  recordQueued: recordEmail,
  recordSent,
  wasNotStarted,
  // A mailbox that does not exist now may exist later, so that this opt-out ends by itself (the outreach gate).
  optOut,
};

async function optOut(tx: Tx, { recipient }: DeliveryRow, now: Date): Promise<void> {
  const tell = await watchOptOut(tx, 'email', { email: recipient }, now);
  await insertEmailOptOut(tx, { recipient, optedOutAt: now, source: 'bounce' });
  await tell('bounce');
}

/** Keeps the Message-ID that the relay has put in place of ours: replies name it. */
async function recordSent(tx: Tx, delivery: DeliveryRow, carrierMessageId: string): Promise<void> {
  const email = await findEmailOfDelivery(tx, delivery.id);
  if (email === undefined || email.rfcMessageId === carrierMessageId) return;
  await patchEmail(tx, email.id, { relayMessageId: carrierMessageId });
}

/** A worker of the release before email claims emails too, and fails before it connects. */
async function wasNotStarted(tx: Tx, { id, attempts }: DeliveryRow): Promise<boolean> {
  const begun = (await findEmailOfDelivery(tx, id))?.begunAttempt ?? null;
  return begun !== null && begun < attempts;
}

/** From the chat's inbox to the email address of its member. */
async function route(tx: Tx, chat: ChatRow): Promise<Route[] | UndeliverableReason> {
  const inbox = await inboxOfChat(tx, chat);
  if (inbox === undefined) return 'missing_inbox';
  const member = await findMember(tx, chat.memberId);
  if (member === undefined) return 'member_deleted';
  const recipient = member.email === null ? null : normalizeEmail(member.email);
  return recipient === null ? 'missing_email' : [{ sender: inbox.address, recipient }];
}
