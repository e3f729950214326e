import { findPhoneNumber, type PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import {
  hasCarrierMessage,
  hasSubscriptionWordAfter,
  insertMessage,
} from '../../../db/conversations/messages.js';
import type { Database, Tx } from '../../../db/database.js';
import { findWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { findMemberByPhone, type MemberRow } from '../../../db/people/members.js';
import { beginAssignment, prepareAssignment } from '../../assignments/begin-assignment.js';
import { optInToSms, optOutOfSms } from '../../channels/outreach/opt-outs.js';
import { findKeyword, type SmsKeyword } from '../../channels/sms/keywords.js';
import { lockChatOfThread, lockSmsThread } from '../../channels/sms/sms-thread.js';
import { openChat } from '../../chat-state/open-chat.js';
import { receiveCodeKeyword } from '../../identity/login-codes/receive-keyword.js';
import { endMemberAccess } from '../../identity/member-tokens/member-tokens.js';
import { callPerson } from '../../kernel/call-person.js';
import type { ServiceContext } from '../../kernel/context.js';
import { normalizePhone } from '../../lib/phone.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { bindIdentifiers } from '../../people/members/unproved-identifiers.js';
import { awaitingMedia, beginMedia } from '../media/await-media.js';
import { answeredForMs } from './answered-for.js';
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
 * passed to the agent (decision 17). If no workspace has the recipient's number, only keywords sent to the number of
 * login codes have an effect. A message that the webhook missed gets no response to the carrier.
 */
export async function receiveSms(context: ServiceContext, sms: InboundSms): Promise<InboundAnswer> {
  const route = await context.db.identity.phoneNumberRoutes.find(sms.to);
  const from = normalizePhone(sms.from, 'US');
  if (from === null) return {};
  if (route === undefined) {
    const { reply } = await receiveCodeKeyword(context, { ...sms, at: context.clock.now() });
    return reply === undefined ? {} : { reply };
  }
  const { db, clock } = context;
  const now = clock.now();

  return db.inWorkspace(route.workspaceId, async (tx) => {
    // Serialize by sender: the carrier repeats webhooks, and people send several messages in quick succession.
    await lockSmsThread(tx, from);
    if (await hasCarrierMessage(tx, sms.carrierMessageId)) return {};
    const number = await findPhoneNumber(tx, route.phoneNumberId);
    if (number === undefined) return {};

    const member = (await senderOf(db, tx, from, now)) ?? (await addSender(tx, from, now));
    const keyword = sms.carrierKeyword ?? findKeyword(sms.body);
    const isLate = sms.missedAt !== undefined && now.getTime() - sms.missedAt.getTime() > answeredForMs;
    // A missed keyword is obsolete if the member has subscribed or unsubscribed since.
    const isPast =
      sms.missedAt !== undefined && (await hasSubscriptionWordAfter(tx, member.id, sms.missedAt));
    // Before the chat is locked: deleting a member takes these locks in the same order.
    if (keyword === 'stop' && !isPast) {
      await optOutOfSms(tx, { phone: from, sender: number.number, source: 'keyword', now });
    }
    if (keyword === 'start' && !isPast) await optInToSms(tx, from);
    const chat =
      (await lockChatOfThread(tx, member.id, number.id)) ??
      (await openInboundChat(tx, member, number, keyword === null && !isLate, now));
    const { carrierMessageId, missedAt: carrierReceivedAt = null } = sms;
    const media = awaitingMedia(sms.mediaCount ?? 0, now);
    const message = { content: sms.body, carrierMessageId, carrierReceivedAt };
    if (keyword === null && !isLate) {
      const taken = { ...message, media, authorMemberId: chat.memberId };
      await beginMedia(tx, await takeUserMessage(tx, chat, taken, now));
      return {};
    }
    const written = { chatId: chat.id, role: 'user', author: 'member', memberId: member.id } as const;
    await beginMedia(tx, await insertMessage(tx, { ...written, smsKeyword: keyword, ...message, ...media }));
    if (keyword !== null) return await confirmKeyword(tx, chat, keyword, sms);
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

/**
 * Returns the member with the phone number. If the number is unproved, this message binds it to the member (decision
 * 60): the member's other unproved addresses become pending, and access granted by tokens ends.
 */
async function senderOf(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  phone: string,
  now: Date,
): Promise<MemberRow | undefined> {
  const member = await findMemberByPhone(tx, phone);
  if (member === undefined) return undefined;
  const wasBound = !(await bindIdentifiers(tx, { now }, member.id, { email: null, phone }));
  if (wasBound) return member;
  await endMemberAccess({ identity }, tx, [{ workspaceId: tx.workspaceId, memberId: member.id }], now);
  // A concurrent proof of the member's email may have separated this number from the member.
  return findMemberByPhone(tx, phone);
}

/** Creates a member for an unknown sender, with the first non-admin role. */
async function addSender(tx: Tx, phone: string, now: Date): Promise<MemberRow> {
  const role = defaultMemberRole(await selectMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const [added] = await addMembers(tx, { now }, [{ values: { phone, memberRoleId: role.id } }]);
  // A concurrent transaction has created a member with this number, so it exists now.
  const member = added?.status === 'created' ? added.member : await findMemberByPhone(tx, phone);
  if (member === undefined) throw new Error('the sender was deleted as it was found');
  return member;
}

/** Opens a chat for an inbound message, with the number's workflow if it has one and `withWorkflow` is set. */
async function openInboundChat(
  tx: Tx,
  member: MemberRow,
  number: PhoneNumberRow,
  withWorkflow: boolean,
  now: Date,
): Promise<ChatRow> {
  const definition =
    withWorkflow && number.inboundDefinitionId !== null
      ? await findWorkflowDefinition(tx, number.inboundDefinitionId)
      : undefined;
  const revisionId = definition?.archivedAt === null ? definition.activeRevisionId : null;
  const assistant = await findAssistantForChat(tx, { definitionId: definition?.id ?? null });
  const newChat = {
    channel: 'phone-sms',
    chatType: revisionId === null ? 'simple' : 'workflow',
    memberId: member.id,
    createdByMemberId: null,
    assistantEnabled: assistant !== null,
    assistantMemberId: assistant?.memberId ?? null,
    phoneNumberId: number.id,
  } as const;
  if (definition === undefined || revisionId === null) return (await openChat(tx, newChat, now)).chat;
  const prepared = await prepareAssignment(tx, { workflowId: definition.id, workflowRevisionId: revisionId });
  const newAssignment = { prepared, chat: { ...newChat, revisionId }, definition };
  return (await beginAssignment(tx, newAssignment, now)).machine.chat;
}
