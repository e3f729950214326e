import { hasBeenTexted } from '../../../db/channels/deliveries.js';
import type { OptOutChannel } from '../../../db/channels/opt-out-proofs.js';
import { findPhoneNumber, type PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import {
  hasCarrierMessage,
  hasSubscriptionWordAfter,
  insertMessage,
} from '../../../db/conversations/messages.js';
import { lockMember, type MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { optOutReply } from '../../channels/outreach/confirm-opt-out.js';
import { mayAnswerKeyword } from '../../channels/outreach/gate.js';
import { optInToSms, optOutBySaying, optOutOfSms } from '../../channels/outreach/opt-outs.js';
import { findKeyword, type SmsKeyword } from '../../channels/sms/keywords.js';
import { findOptOutWords, type OptOutWords } from '../../channels/sms/opt-out-words.js';
import { senderPhone } from '../../channels/sms/sender-phone.js';
import { lockChatOfThread, lockSmsThread } from '../../channels/sms/sms-thread.js';
import { answeredForMs, storeReceived } from '../../chat-state/store-received.js';
import { receiveCodeKeyword } from '../../identity/login-codes/receive-keyword.js';
import { alertColleague, optOutUnclear } from '../../kernel/alert-colleague.js';
import type { OutreachContext } from '../../kernel/context.js';
import type { Outreach } from '../../kernel/outreach.js';
import { awaitingMedia, beginMedia } from '../media/await-media.js';
import type { InboundSms } from './inbound-sms.js';
import { openInboundChat } from './open-inbound-chat.js';
import { holdForOptOut } from './opt-out-in-words.js';
import { receiveUnanswerableSms } from './receive-unanswerable-sms.js';
import { memberOfSender } from './sender-member.js';
import { takeUserMessage } from './take-message.js';

/** The response to the carrier: a text for the sender, or nothing. */
export type InboundAnswer = { reply?: string };

const keywordReplies: Record<SmsKeyword, string> = {
  stop: optOutReply(['sms']),
  start: 'You are subscribed again. Reply STOP to unsubscribe, HELP for help.',
  help: 'You get these messages as a member of our programme. Reply STOP to unsubscribe.',
};

/**
 * Takes an inbound SMS, once per carrier id, from the member with the sender's number, who is created if unknown, into
 * the chat of the SMS thread or a new one. STOP, START and HELP are answered in the response to the carrier and not
 * passed to the agent, and neither is what opts out in other words (decision 246). A sender that is no phone number
 * has a chat that nobody can be answered in. If no workspace has the recipient's number, only keywords sent to the
 * number of login codes have an effect. A message that the webhook missed gets no response to the carrier.
 * @param known where the recipient's number is, if it was looked up
 */
export async function receiveSms(
  context: OutreachContext,
  sms: InboundSms,
  known?: { workspaceId: number; phoneNumberId: number },
): Promise<InboundAnswer> {
  const route = known ?? (await context.db.identity.phoneNumberRoutes.find(sms.to));
  const from = senderPhone(sms.from);
  if (route === undefined) {
    const { reply } = await receiveCodeKeyword(context, { ...sms, at: context.clock.now() });
    return reply === undefined ? {} : { reply };
  }
  const { db, clock } = context;
  const now = clock.now();

  return db.inWorkspace(route.workspaceId, async (tx): Promise<InboundAnswer> => {
    // Serialize by sender: the carrier repeats webhooks, and people send several messages in quick succession.
    await lockSmsThread(tx, from ?? sms.from.trim().toLowerCase());
    if (await hasCarrierMessage(tx, sms.carrierMessageId)) return {};
    const number = await findPhoneNumber(tx, route.phoneNumberId);
    if (number === undefined) return {};

    const keyword = sms.carrierKeyword ?? findKeyword(sms.body);
    const said = keyword === null ? findOptOutWords(sms.body, 'sms') : null;
    if (from === null) {
      await receiveUnanswerableSms(tx, sms, { number, keyword, said }, now);
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
      const heard = { heardOn: 'phone-sms', words: sms.body } as const;
      await optOutOfSms(tx, { phone: from, sender: number.number, source: 'keyword', ...heard, now });
    }
    const meant = isPast ? null : said;
    const news = meant?.isClear === true ? await optOutInWords(tx, member, { sms, from, meant }, now) : [];
    if (keyword === 'start' && !isPast) await optInToSms(tx, from, now);
    const withWorkflow = keyword === null && meant === null && !isLate;
    const chat =
      (await lockChatOfThread(tx, member.id, number.id)) ??
      (await openSmsChat(tx, member, number, withWorkflow, { ...context, now }));
    const { carrierMessageId, missedAt: carrierReceivedAt = null } = sms;
    const media = awaitingMedia(sms.mediaCount ?? 0, now);
    const message = { content: sms.body, carrierMessageId, carrierReceivedAt };
    if (meant?.isClear === true) {
      const smsKeyword = meant.channels.includes('sms') ? 'stop' : null;
      const written = { author: 'member', memberId: member.id, smsKeyword } as const;
      await beginMedia(tx, await storeReceived(tx, chat, { ...written, ...message, ...media }, now));
      await alertColleague(tx, chat, 'opted_out', { archived: false, lastMessageReceivedAt: now });
      const isAnswered = news.length > 0 && (await mayAnswerKeyword(tx, from));
      return isAnswered ? await confirm(tx, chat, 'stop', optOutReply(news), sms) : {};
    }
    if (meant !== null) {
      const held = await holdForOptOut(tx, chat, now);
      const taken = { ...message, media, authorMemberId: chat.memberId };
      await beginMedia(tx, await takeUserMessage(tx, held, taken, now));
      await alertColleague(tx, chat, optOutUnclear);
      return {};
    }
    if (keyword === null && !isLate) {
      const taken = { ...message, media, authorMemberId: chat.memberId };
      await beginMedia(tx, await takeUserMessage(tx, chat, taken, now));
      return {};
    }
    const written = { author: 'member', memberId: member.id, smsKeyword: keyword } as const;
    await beginMedia(tx, await storeReceived(tx, chat, { ...written, ...message, ...media }, now));
    if (keyword !== null) {
      return (await mayAnswerKeyword(tx, from))
        ? await confirm(tx, chat, keyword, keywordReplies[keyword], sms)
        : {};
    }
    await alertColleague(tx, chat, 'late_message', { archived: false, lastMessageReceivedAt: now });
    return {};
  });
}

/** Stores and returns the reply to a keyword, unless the carrier has already answered. */
async function confirm(
  tx: Tx,
  chat: ChatRow,
  keyword: SmsKeyword,
  reply: string,
  sms: InboundSms,
): Promise<InboundAnswer> {
  if (sms.carrierKeyword !== undefined || sms.missedAt !== undefined) return {};
  const written = { chatId: chat.id, role: 'assistant', author: 'system', content: reply } as const;
  await insertMessage(tx, { ...written, smsKeyword: keyword });
  return { reply };
}

/** Opts a member out as a message says that is no keyword. @returns of what it was not opted out before */
async function optOutInWords(
  tx: Tx,
  { id }: MemberRow,
  { sms, from, meant }: { sms: InboundSms; from: string; meant: OptOutWords },
  now: Date,
): Promise<OptOutChannel[]> {
  const member = await lockMember(tx, id);
  if (member === undefined) return [];
  const said = { source: 'words', heardOn: 'phone-sms', words: sms.body } as const;
  return optOutBySaying(tx, { ...member, phone: from }, meant.channels, said, now);
}

/** Opens a chat for an inbound message, with the number's workflow if it has one and `withWorkflow` is set. */
async function openSmsChat(
  tx: Tx,
  member: MemberRow,
  number: PhoneNumberRow,
  withWorkflow: boolean,
  begin: { outreach: Outreach; now: Date },
): Promise<ChatRow> {
  const definitionId = withWorkflow ? number.inboundDefinitionId : null;
  const place = {
    channel: 'phone-sms',
    memberId: member.id,
    phoneNumberId: number.id,
    definitionId,
  } as const;
  return openInboundChat(tx, place, begin);
}
