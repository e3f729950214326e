import { insertDelivery } from '../../../db/channels/deliveries.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { type MessageRow, updateMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { findMember } from '../../../db/people/members.js';
import { pokeDeliveries } from '../../kernel/runs.js';
import { type OutreachRefusal, refusalOf } from '../outreach/gate.js';
import { purposeIn } from '../outreach/purpose.js';
import { queuedNow } from './life-span.js';

/** Why a message cannot go out at all. Reason codes free of personal data. */
export type UndeliverableReason =
  | 'missing_phone'
  | 'missing_phone_number'
  | 'missing_inbox'
  | OutreachRefusal;

/** What a message is for, where it is not said in the conversation: a task's. */
export interface Queued {
  forTask?: boolean;
}

export interface SmsRoute {
  sender: string;
  recipient: string;
  purpose: 'reply' | 'agent_initiated' | 'task';
}

/** From which number to which: or why there is no way. The gate is asked again at the moment of sending. */
export async function findSmsRoute(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  { forTask = false }: Queued = {},
): Promise<SmsRoute | UndeliverableReason> {
  const numberId = chat.phoneNumberId ?? (await defaultNumberOf(tx, chat));
  const number = numberId === null ? undefined : await findPhoneNumber(tx, numberId);
  if (number === undefined || !number.smsEnabled) return 'missing_phone_number';
  const member = await findMember(tx, chat.memberId);
  if (member === undefined) return 'member_deleted';
  if (member.phone === null) return 'missing_phone';
  const purpose = forTask ? 'task' : purposeIn(chat, now);
  const recipient = member.phone;
  const refusal = await refusalOf(tx, { purpose, channel: 'phone-sms', memberId: member.id, recipient, now });
  return refusal ?? { sender: number.number, recipient, purpose };
}

/** A chat on another channel sends SMS from its workflow's number. */
async function defaultNumberOf(tx: Tx, chat: ChatRow): Promise<number | null> {
  if (chat.definitionId === null) return null;
  return (await findWorkflowDefinition(tx, chat.definitionId))?.defaultPhoneNumberId ?? null;
}

/**
 * Queues an outbound message for delivery where the chat's channel needs one; on web chat it is there already.
 * A message that has no way out is marked `failed` at once.
 *
 * @returns the reason when it cannot be delivered
 */
export async function queueDelivery(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  now: Date,
  queued: Queued = {},
): Promise<UndeliverableReason | undefined> {
  if (chat.channel === 'phone-sms') return queueSms(tx, chat, message, now, queued);
  // There are no inboxes yet to send from.
  return chat.channel === 'email' ? refuse(tx, message, 'missing_inbox', now) : undefined;
}

/** Queues an SMS, whatever the chat's own channel. @returns the reason when it cannot be delivered */
export async function queueSms(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  now: Date,
  queued: Queued = {},
): Promise<UndeliverableReason | undefined> {
  const route = await findSmsRoute(tx, chat, now, queued);
  if (typeof route === 'string') return refuse(tx, message, route, now);
  await insertDelivery(tx, {
    chatId: chat.id,
    messageId: message.id,
    channel: 'phone-sms',
    ...route,
    ...queuedNow(chat, now),
  });
  await updateMessage(tx, message.id, { smsDeliveryStatus: 'sent', smsDeliveryUpdatedAt: now });
  await pokeDeliveries(tx, chat);
  return undefined;
}

async function refuse(
  tx: Tx,
  message: MessageRow,
  reason: UndeliverableReason,
  now: Date,
): Promise<UndeliverableReason> {
  await updateMessage(tx, message.id, {
    smsDeliveryStatus: 'failed',
    smsDeliveryFailureReason: reason,
    smsDeliveryUpdatedAt: now,
  });
  return reason;
}
