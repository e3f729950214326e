import type { Database, Tx } from '../../db/database.js';
import { findAssistantForChat } from '../../db/queries/assistants.js';
import type { ChatRow } from '../../db/queries/chats.js';
import { listMemberRoles } from '../../db/queries/member-roles.js';
import { findMemberByPhone, type MemberRow } from '../../db/queries/members.js';
import { hasCarrierMessage, hasSubscriptionWordAfter, insertMessage } from '../../db/queries/messages.js';
import { findPhoneNumber, type PhoneNumberRow } from '../../db/queries/phone-numbers.js';
import { findWorkflowDefinition } from '../../db/queries/workflow-definitions.js';
import { beginAssignment, prepareAssignment } from '../assignments/begin-assignment.js';
import type { ServiceContext } from '../context.js';
import { receiveCodeKeyword } from '../login-codes/receive-keyword.js';
import { defaultMemberRole } from '../member-roles/default-member-role.js';
import { endMemberAccess } from '../member-tokens/end-member-access.js';
import { addMembers } from '../members/add-member.js';
import { bindIdentifiers } from '../members/unproved-identifiers.js';
import { optInToSms, optOutOfSms } from '../outreach/opt-outs.js';
import { normalizePhone } from '../phone.js';
import { findKeyword, type SmsKeyword } from '../sms/keywords.js';
import { callPerson } from './call-person.js';
import { openChat } from './open-chat.js';
import { lockChatOfThread, lockSmsThread } from './sms-thread.js';
import { takeUserMessage } from './take-message.js';

export interface InboundSms {
  /** The carrier's id of the message: it is taken once. */
  carrierMessageId: string;
  from: string;
  to: string;
  body: string;
  /** The keyword that the carrier took it for, and has answered itself. */
  carrierKeyword?: SmsKeyword;
  /** When it came in at the carrier, whose webhook did not bring it; absent: this is its webhook. */
  missedAt?: Date;
}

/** What to answer the carrier with: a text for the sender, or nothing. */
export interface InboundAnswer {
  reply?: string;
}

const keywordReplies: Record<SmsKeyword, string> = {
  stop: 'You are unsubscribed and will get no more messages from us. Reply START to subscribe again.',
  start: 'You are subscribed again. Reply STOP to unsubscribe, HELP for help.',
  help: 'You get these messages as a member of our programme. Reply STOP to unsubscribe.',
};

/** A missed message that is older is shown to a person; an answer of the agent would come out of nowhere. */
export const answeredForMs = 4 * 3_600_000;

/**
 * Takes an inbound SMS: claimed by the carrier's id, from a member known by its number or new, into the chat it
 * continues or a new one. Of what comes to a number that no workspace has, STOP and START to that of login codes are
 * obeyed. STOP, START and HELP are answered to the carrier, at most once, and go no further. One that the
 * webhook missed gets no answer to the carrier, and none of the agent after some hours; STOP is obeyed always.
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
    // The carrier repeats itself and a person types fast: one at a time for each sender.
    await lockSmsThread(tx, from);
    if (await hasCarrierMessage(tx, sms.carrierMessageId)) return {};
    const number = await findPhoneNumber(tx, route.phoneNumberId);
    if (number === undefined) return {};

    const member = (await senderOf(db, tx, from, now)) ?? (await addSender(tx, from, now));
    const keyword = sms.carrierKeyword ?? findKeyword(sms.body);
    const isLate = sms.missedAt !== undefined && now.getTime() - sms.missedAt.getTime() > answeredForMs;
    // What was missed says nothing any more where the member has subscribed or unsubscribed since.
    const isPast =
      sms.missedAt !== undefined && (await hasSubscriptionWordAfter(tx, member.id, sms.missedAt));
    // Before the chat is locked: whoever deletes the member takes the two in this order.
    if (keyword === 'stop' && !isPast) {
      await optOutOfSms(tx, { phone: from, sender: number.number, source: 'keyword', now });
    }
    if (keyword === 'start' && !isPast) await optInToSms(tx, from);
    const chat =
      (await lockChatOfThread(tx, member.id, number.id)) ??
      (await openInboundChat(tx, member, number, keyword === null && !isLate, now));
    const message = {
      content: sms.body,
      carrierMessageId: sms.carrierMessageId,
      carrierReceivedAt: sms.missedAt ?? null,
    };
    if (keyword === null && isLate) {
      await insertMessage(tx, { chatId: chat.id, role: 'user', memberId: member.id, ...message });
      await callPerson(tx, chat, 'late_message', { archived: false, lastMessageReceivedAt: now });
      return {};
    }
    if (keyword === null) {
      await takeUserMessage(tx, chat, { ...message, authorMemberId: chat.memberId }, now);
      return {};
    }
    await insertMessage(tx, {
      chatId: chat.id,
      role: 'user',
      memberId: member.id,
      smsKeyword: keyword,
      ...message,
    });
    return await confirmKeyword(tx, chat, keyword, sms);
  });
}

/** What the sender is told, unless the carrier has answered already. */
async function confirmKeyword(
  tx: Tx,
  chat: ChatRow,
  keyword: SmsKeyword,
  sms: InboundSms,
): Promise<InboundAnswer> {
  if (sms.carrierKeyword !== undefined || sms.missedAt !== undefined) return {};
  const reply = keywordReplies[keyword];
  await insertMessage(tx, { chatId: chat.id, role: 'assistant', content: reply, smsKeyword: keyword });
  return { reply };
}

/**
 * The member that has the number. Where only a form gave it the number, writing from there binds the member to it: its
 * other addresses that nobody proved become pending, and whoever was let in by a token is out.
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
  // Somebody may have proved the member's email at this moment, who does not share it with this number.
  return findMemberByPhone(tx, phone);
}

/** A stranger becomes a member with its number, in the first role that is not an admin's. */
async function addSender(tx: Tx, phone: string, now: Date): Promise<MemberRow> {
  const role = defaultMemberRole(await listMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const [added] = await addMembers(tx, { now }, [{ values: { phone, memberRoleId: role.id } }]);
  // Somebody made a member with this number in the same moment: it is there now.
  const member = added?.status === 'created' ? added.member : await findMemberByPhone(tx, phone);
  if (member === undefined) throw new Error('the sender was deleted as it was found');
  return member;
}

/** A new chat on the number: with the number's workflow if it has one, and if there is something to walk through. */
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
