import { hasBeenTexted } from '../../../db/channels/deliveries.js';
import { findPhoneNumber, type PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import {
  hasCarrierMessage,
  hasSubscriptionWordAfter,
  insertMessage,
} from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import type { MemberRow } from '../../../db/people/members.js';
import { mayAnswerKeyword } from '../../channels/outreach/gate.js';
import { optInToSms, optOutOfSms } from '../../channels/outreach/opt-outs.js';
import { findKeyword, type SmsKeyword } from '../../channels/sms/keywords.js';
import { senderPhone } from '../../channels/sms/sender-phone.js';
import { lockChatOfThread, lockSmsThread } from '../../channels/sms/sms-thread.js';
import { storeReceived } from '../../chat-state/store-received.js';
import { receiveCodeKeyword } from '../../identity/login-codes/receive-keyword.js';
import { callPerson } from '../../kernel/call-person.js';
import type { ServiceContext } from '../../kernel/context.js';
import { awaitingMedia, beginMedia } from '../media/await-media.js';
import { answeredForMs } from './answered-for.js';
import { openInboundChat } from './open-inbound-chat.js';
import { receiveUnanswerableSms } from './receive-unanswerable-sms.js';
import { memberOfSender } from './sender-member.js';
import { takeUserMessage } from './take-message.js';

export interface InboundSms {
  /** The carrier's id of the message, used as idempotency key. */
  carrierMessageId: string;
  from: string;
  to: string;
  body: string;
  /** The number of pictures and other media that came with the message, and are fetched later. */
  mediaCount?: number;
  /** The keyword that the carrier recognized and has already answered. */
  carrierKeyword?: SmsKeyword;
  /** When the carrier received a message that its webhook did not deliver; absent for a message from the webhook. */
  missedAt?: Date;
}

/** The response to the carrier: a text for the sender, or nothing. */
export type InboundAnswer = { reply?: string };

const keywordReplies: Record<SmsKeyword, string> = {
  stop: 'You are unsubscribed and will get no more messages from us. Reply START to subscribe again.',
  start: 'You are subscribed again. Reply STOP to unsubscribe, HELP for help.',
  help: 'You get these messages as a member of our programme. Reply STOP to unsubscribe.',
};

/**
 * Takes an inbound SMS, once per carrier id, from the member with the sender's number, who is created if unknown, into
 * the chat of the SMS thread or a new one. STOP, START and HELP are answered in the response to the carrier and not
 * passed to the agent (decision 17). A sender that is no phone number has a chat that nobody can be answered in. If no workspace has the recipient's number, only keywords sent to the number of
 * login codes have an effect. A message that the webhook missed gets no response to the carrier.
 */
export async function receiveSms(context: ServiceContext, sms: InboundSms): Promise<InboundAnswer> {
  const route = await context.db.identity.phoneNumberRoutes.find(sms.to);
  const from = senderPhone(sms.from);
  if (route === undefined) {
    const { reply } = await receiveCodeKeyword(context, { ...sms, at: context.clock.now() });
    return reply === undefined ? {} : { reply };
  }
  const { db, clock } = context;
  const now = clock.now();

  return db.inWorkspace(route.workspaceId, async (tx) => {
    // Serialize by sender: the carrier repeats webhooks, and people send several messages in quick succession.
    await lockSmsThread(tx, from ?? sms.from.trim().toLowerCase());
    if (await hasCarrierMessage(tx, sms.carrierMessageId)) return {};
    const number = await findPhoneNumber(tx, route.phoneNumberId);
    if (number === undefined) return {};

    const keyword = sms.carrierKeyword ?? findKeyword(sms.body);
    if (from === null) {
      await receiveUnanswerableSms(tx, sms, { number, keyword }, now);
      return {};
    }
    const isAnswer = ({ id }: MemberRow) =>
      hasBeenTexted(tx, from, { memberId: id, phoneNumberId: number.id });
    const member = await memberOfSender(db, tx, { channel: 'phone', address: from }, now, isAnswer);
    const isLate = sms.missedAt !== undefined && now.getTime() - sms.missedAt.getTime() > answeredForMs;
    // A missed keyword is obsolete if the member has subscribed or unsubscribed since.
    const isPast =
      sms.missedAt !== undefined && (await hasSubscriptionWordAfter(tx, member.id, sms.missedAt));
    // Before the chat is locked: deleting a member takes these locks in the same order.
    if (keyword === 'stop' && !isPast) {
      await optOutOfSms(tx, { phone: from, sender: number.number, source: 'keyword', now });
    }
    if (keyword === 'start' && !isPast) await optInToSms(tx, from, now);
    const chat =
      (await lockChatOfThread(tx, member.id, number.id)) ??
      (await openSmsChat(tx, member, number, keyword === null && !isLate, now));
    const { carrierMessageId, missedAt: carrierReceivedAt = null } = sms;
    const media = awaitingMedia(sms.mediaCount ?? 0, now);
    const message = { content: sms.body, carrierMessageId, carrierReceivedAt };
    if (keyword === null && !isLate) {
      const taken = { ...message, media, authorMemberId: chat.memberId };
      await beginMedia(tx, await takeUserMessage(tx, chat, taken, now));
      return {};
    }
    const written = { author: 'member', memberId: member.id, smsKeyword: keyword } as const;
    await beginMedia(tx, await storeReceived(tx, chat, { ...written, ...message, ...media }, now));
    if (keyword !== null) {
      return (await mayAnswerKeyword(tx, from)) ? await confirmKeyword(tx, chat, keyword, sms) : {};
    }
    await callPerson(tx, chat, 'late_message', { archived: false, lastMessageReceivedAt: now });
    return {};
  });
}

/** Stores and returns the reply to a keyword, unless the carrier has already answered. */
async function confirmKeyword(
  tx: Tx,
  chat: ChatRow,
  keyword: SmsKeyword,
  sms: InboundSms,
): Promise<InboundAnswer> {
  if (sms.carrierKeyword !== undefined || sms.missedAt !== undefined) return {};
  const reply = keywordReplies[keyword];
  const written = { chatId: chat.id, role: 'assistant', author: 'system', content: reply } as const;
  await insertMessage(tx, { ...written, smsKeyword: keyword });
  return { reply };
}

/** Opens a chat for an inbound message, with the number's workflow if it has one and `withWorkflow` is set. */
async function openSmsChat(
  tx: Tx,
  member: MemberRow,
  number: PhoneNumberRow,
  withWorkflow: boolean,
  now: Date,
): Promise<ChatRow> {
  const definitionId = withWorkflow ? number.inboundDefinitionId : null;
  const place = {
    channel: 'phone-sms',
    memberId: member.id,
    phoneNumberId: number.id,
    definitionId,
  } as const;
  return openInboundChat(tx, place, now);
}
