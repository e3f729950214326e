import { type DeliveryRow, insertDelivery } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { type MessageRow, type NewMessage, patchMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { messageFailedEvent, messageSentEvent } from '../../kernel/events/message-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { pokeDeliveries } from '../../kernel/runs.js';
import { refusalOf } from '../outreach/gate.js';
import { beginsTexts, begunByOf } from './begun-by.js';
import type { Route, UndeliverableReason } from './channel.js';
import { channelOf, findChannel } from './channels.js';
import { queuedNow } from './life-span.js';

export type { UndeliverableReason } from './channel.js';

type Channel = DeliveryRow['channel'];
type Purpose = DeliveryRow['purpose'];

/** Later, carriers and the law of some countries take a confirmation for an unwanted message. */
const confirmedWithinMs = 5 * 60_000;

/** How long after the member's last message a message in the chat counts as a reply. */
const replyWithinMs = 24 * 3_600_000;

interface Queued {
  /** The purpose of a message that is not part of the conversation: that of a task. */
  forTask?: boolean;
  /** A colleague opens the chat with it, or wrote it earlier. */
  isPlanned?: boolean;
  /** It is the answer of a colleague who had been alerted. */
  endedWait?: boolean;
  /** Of an email beside a chat on another channel. */
  subject?: string;
  /** It tells the member that it is opted out, and is worth sending at once only. */
  confirmsOptOut?: boolean;
}

/** Returns why a reply in the chat could not be delivered now; undefined if it could be, or needs no delivery. */
export async function whyUndeliverable(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  { withFiles = false }: { withFiles?: boolean } = {},
): Promise<UndeliverableReason | undefined> {
  if (findChannel(chat.channel) === undefined) return undefined;
  const isStarted = chat.channel === 'phone-sms' && (await beginsTexts(tx, chat, { now }));
  const reply = { chat, now, purpose: purposeIn(chat, now), withFiles, isStarted };
  const routes = await routesOn(tx, chat.channel as Channel, reply);
  return typeof routes === 'string' ? routes : undefined;
}

/** What a message shows from its insertion on that is queued next: an update would write all of its index entries again. */
export function shownAsQueued(
  { channel }: Pick<ChatRow, 'channel'>,
  now: Date,
): Pick<NewMessage, 'smsDeliveryStatus' | 'smsDeliveryUpdatedAt'> {
  if (findChannel(channel) === undefined) return {};
  return { smsDeliveryStatus: 'sent', smsDeliveryUpdatedAt: now };
}

/** Queues a message if its channel needs delivery; marks it `failed` and returns why if it cannot be delivered. */
export async function queueDelivery(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  now: Date,
  queued: Queued = {},
): Promise<UndeliverableReason | undefined> {
  if (findChannel(chat.channel) === undefined) {
    if (chat.channel === 'web-chat')
      await writeEvents(tx, [messageSentEvent(chat, message, 'web-chat')], now);
    return undefined;
  }
  return queueOn(tx, chat.channel as Channel, { chat, message, now, ...queued });
}

/** `queueDelivery` by SMS, regardless of the chat's channel. */
export function queueSms(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  now: Date,
): Promise<UndeliverableReason | undefined> {
  return queueOn(tx, 'phone-sms', { chat, message, now });
}

/** `whyUndeliverable` for an email beside the chat, from its `inboxId`. */
export async function whyNotEmailed(
  tx: Tx,
  chat: ChatRow,
  now: Date,
): Promise<UndeliverableReason | undefined> {
  const routes = await routesOn(tx, 'email', {
    chat,
    now,
    purpose: purposeBeside,
    withFiles: false,
    isStarted: false,
  });
  return typeof routes === 'string' ? routes : undefined;
}

/**
 * `queueDelivery` by email, beside a chat on another channel: from the `inboxId` of the chat as it is given, with a subject,
 * which begins a thread of its own.
 */
export function queueEmail(
  tx: Tx,
  chat: ChatRow,
  message: MessageRow,
  subject: string,
  now: Date,
): Promise<UndeliverableReason | undefined> {
  return queueOn(tx, 'email', { chat, message, subject, now });
}

/** Not the answer that the member waits for in the chat: who has unsubscribed from emails, or wants none, gets none. */
const purposeBeside = 'agent_initiated';

async function queueOn(
  tx: Tx,
  channel: Channel,
  {
    chat,
    message,
    now,
    forTask = false,
    isPlanned = false,
    endedWait = false,
    subject,
    confirmsOptOut = false,
  }: Queued & { chat: ChatRow; message: MessageRow; now: Date },
): Promise<UndeliverableReason | undefined> {
  const isBeside = subject !== undefined;
  const usual: Purpose = forTask ? 'task' : isBeside ? purposeBeside : purposeIn(chat, now);
  const purpose: Purpose = confirmsOptOut ? 'opt_out_confirmation' : usual;
  const isStarted =
    channel === 'phone-sms' && (await beginsTexts(tx, chat, { now, before: message.createdAt }));
  const asked = { chat, now, purpose, withFiles: message.files.length > 0, isStarted };
  const routes = await routesOn(tx, channel, asked);
  if (typeof routes === 'string') {
    const failed = messageFailedEvent(chat, message, channel, { failureReason: routes });
    await writeEvents(tx, [failed], now);
    return refuse(tx, message, routes, now);
  }
  const begunBy = await begunByOf(tx, chat, message, { purpose, isPlanned, now });
  const ofMessage = {
    chatId: chat.id,
    messageId: message.id,
    channel,
    purpose,
    begunBy,
    countsAsBegun: isStarted,
    endedWait,
    ...queuedNow(channel, chat, now),
    ...(confirmsOptOut ? { expiresAt: new Date(now.getTime() + confirmedWithinMs) } : {}),
  };
  for (const route of routes) {
    const delivery = await insertDelivery(tx, { ...ofMessage, ...route });
    await channelOf({ channel }).recordQueued?.(tx, { chat, message, delivery, subject, now });
  }
  if (message.smsDeliveryStatus === null) {
    await patchMessage(tx, message.id, { smsDeliveryStatus: 'sent', smsDeliveryUpdatedAt: now });
  }
  await pokeDeliveries(tx, chat);
  return undefined;
}

/**
 * Returns the routes to the recipients whom the gate lets through, or why there is none. The gate is checked again when
 * the message is sent.
 */
async function routesOn(
  tx: Tx,
  channel: Channel,
  asked: { chat: ChatRow; now: Date; purpose: Purpose; withFiles: boolean; isStarted: boolean },
): Promise<Route[] | UndeliverableReason> {
  const { chat, now, purpose, withFiles, isStarted } = asked;
  const routes = await channelOf({ channel }).route(tx, chat, withFiles);
  if (typeof routes === 'string') return routes;
  const open: Route[] = [];
  let refused: UndeliverableReason | undefined;
  for (const route of routes) {
    const refusal = await refusalOf(tx, {
      purpose,
      channel,
      memberId: chat.memberId,
      ...route,
      isStarted,
      now,
    });
    if (refusal === undefined) open.push(route);
    refused ??= refusal;
  }
  return open.length === 0 && refused !== undefined ? refused : open;
}

function purposeIn({ lastMessageReceivedAt }: ChatRow, now: Date): 'reply' | 'agent_initiated' {
  const received = lastMessageReceivedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return now.getTime() - received < replyWithinMs ? 'reply' : 'agent_initiated';
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
