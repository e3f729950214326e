import { type DeliveryRow, insertDelivery } from '../../../db/channels/deliveries.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { type MessageRow, patchMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { findMember } from '../../../db/people/members.js';
import { pokeDeliveries } from '../../kernel/runs.js';
import { type OutreachRefusal, refusalOf } from '../outreach/gate.js';
import { queuedNow } from './life-span.js';

/** Why a message cannot be sent at all. The codes contain no personal data. */
export type UndeliverableReason =
  | 'missing_phone'
  | 'missing_phone_number'
  | 'missing_inbox'
  | 'mms_not_enabled'
  | OutreachRefusal;

/** How long after the member's last message a message in the chat counts as a reply. */
const replyWithinMs = 24 * 3_600_000;

/** The purpose of a message that is not part of the conversation: that of a task. */
interface Queued {
  forTask?: boolean;
}

/** What a message needs of its channel. */
interface Needs extends Queued {
  /** It carries files. */
  media?: boolean;
}

type SmsRoute = Pick<DeliveryRow, 'sender' | 'recipient' | 'purpose'>;

/** Returns the sender and recipient of an SMS, or why it cannot be sent. The gate is checked again when it is sent. */
export async function findSmsRoute(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  { forTask = false, media = false }: Needs = {},
): Promise<SmsRoute | UndeliverableReason> {
  const numberId = chat.phoneNumberId ?? (await defaultNumberOf(tx, chat));
  const number = numberId === null ? undefined : await findPhoneNumber(tx, numberId);
  if (number === undefined || !number.smsEnabled) return 'missing_phone_number';
  if (media && !number.mmsEnabled) return 'mms_not_enabled';
  const member = await findMember(tx, chat.memberId);
  if (member === undefined) return 'member_deleted';
  if (member.phone === null) return 'missing_phone';
  const purpose = forTask ? 'task' : purposeIn(chat, now);
  const recipient = member.phone;
  const refusal = await refusalOf(tx, { purpose, channel: 'phone-sms', memberId: member.id, recipient, now });
  return refusal ?? { sender: number.number, recipient, purpose };
}

function purposeIn({ lastMessageReceivedAt }: ChatRow, now: Date): 'reply' | 'agent_initiated' {
  const received = lastMessageReceivedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return now.getTime() - received < replyWithinMs ? 'reply' : 'agent_initiated';
}

/** The default number of the chat's workflow, from which a chat on another channel sends SMS. */
async function defaultNumberOf(tx: Tx, chat: ChatRow): Promise<number | null> {
  if (chat.definitionId === null) return null;
  return (await findWorkflowDefinition(tx, chat.definitionId))?.defaultPhoneNumberId ?? null;
}

/** Queues a message if its channel needs delivery; marks it `failed` and returns why if it cannot be delivered. */
export async function queueDelivery(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  now: Date,
  queued: Queued = {},
): Promise<UndeliverableReason | undefined> {
  if (chat.channel === 'phone-sms') return queueSms(tx, chat, message, now, queued);
  // No inboxes exist yet to send email from.
  return chat.channel === 'email' ? refuse(tx, message, 'missing_inbox', now) : undefined;
}

/** `queueDelivery` by SMS, regardless of the chat's channel. */
export async function queueSms(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  now: Date,
  queued: Queued = {},
): Promise<UndeliverableReason | undefined> {
  const route = await findSmsRoute(tx, chat, now, { ...queued, media: message.files.length > 0 });
  if (typeof route === 'string') return refuse(tx, message, route, now);
  const ofMessage = { chatId: chat.id, messageId: message.id, channel: 'phone-sms' } as const;
  await insertDelivery(tx, { ...ofMessage, ...route, ...queuedNow(chat, now) });
  await patchMessage(tx, message.id, { smsDeliveryStatus: 'sent', smsDeliveryUpdatedAt: now });
  await pokeDeliveries(tx, chat);
  return undefined;
}

async function refuse(
  tx: Tx,
  message: MessageRow,
  reason: UndeliverableReason,
  now: Date,
): Promise<UndeliverableReason> {
  await patchMessage(tx, message.id, {
    smsDeliveryStatus: 'failed',
    smsDeliveryFailureReason: reason,
    smsDeliveryUpdatedAt: now,
  });
  return reason;
}
