import { allowReplies } from '../../../db/channels/email-opt-outs.js';
import { insertEmail, patchEmail } from '../../../db/channels/emails.js';
import {
  beganChat,
  findInboundEmail,
  type InboundEmailRow,
  type InboundEmailState,
  lockInboundEmail,
  patchInboundEmail,
} from '../../../db/channels/inbound-emails.js';
import { claimAttachmentsTold, findInbox, type InboxRow } from '../../../db/channels/inboxes.js';
import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import { type MessageRow, patchMessage } from '../../../db/conversations/messages.js';
import { isUnknownSender } from '../../../db/conversations/unknown-senders.js';
import { doomPendingObject } from '../../../db/files/stored-objects.js';
import { lockSubject } from '../../../db/lock-subject.js';
import { findMemberByEmail, lockMember, type MemberRow } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { provedSender } from '../../channels/email/inbound/authentication-results.js';
import { callAboutEmail } from '../../channels/email/inbound/call-about-email.js';
import { answeredIds, type HeaderField, messageIdOf } from '../../channels/email/inbound/headers.js';
import type { MailContent } from '../../channels/email/inbound/mail-content.js';
import { ownWords, type ReadText } from '../../channels/email/inbound/own-words.js';
import { settleByReport } from '../../channels/email/inbound/settle-by-report.js';
import { confirmByEmail } from '../../channels/outreach/confirm-opt-out.js';
import { optOutBySaying } from '../../channels/outreach/opt-outs.js';
import { watchOptOut } from '../../channels/outreach/record-opt-out.js';
import { findOptOutWords } from '../../channels/sms/opt-out-words.js';
import { answeredForMs, storeReceived } from '../../chat-state/store-received.js';
import { asFileOfMessage, attachToMessage } from '../../files/attachments/attach-to-message.js';
import { type MediaFailure, messageLimits } from '../../files/attachments/limits.js';
import { alertColleague, optOutUnclear } from '../../kernel/alert-colleague.js';
import type { OutreachContext, ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { openInboundChat } from '../chats/open-inbound-chat.js';
import { holdForOptOut } from '../chats/opt-out-in-words.js';
import { memberOfSender } from '../chats/sender-member.js';
import { takeMailboxMessage, takeUserMessage } from '../chats/take-message.js';
import { insertMedia } from '../media/keep-media.js';
import { bare, decideMail, type MailDecision, type ReadMail } from './decide-mail.js';
import { type AttachmentPlace, failuresOf, type KeptAttachment, noRoomFor } from './kept-attachment.js';
import { knownThread } from './known-thread.js';

export interface InboundRef {
  workspaceId: number;
  inboundEmailId: number;
}

export interface MailOutcome {
  state: InboundEmailState | 'gone';
  reason: string | null;
}

/**
 * Whether the attachments of a mail will be files of a message, and of which member, so that they can be put into the
 * storage before the transaction that decides. Undefined if they are not needed.
 */
export async function foreseeFiles(
  { db, clock }: ServiceContext,
  ref: InboundRef,
  mail: ReadMail,
): Promise<Pick<AttachmentPlace, 'memberId' | 'unknownDomain'> | undefined> {
  return db.readInWorkspace(ref.workspaceId, async (tx) => {
    const row = await findInboundEmail(tx, ref.inboundEmailId);
    const inbox = row && (await findInbox(tx, row.inboxId));
    if (row?.state !== 'received' || inbox === undefined) return undefined;
    const decision = await decideMail(tx, inbox, mail, clock.now());
    if (decision.kind === 'takeover') return { memberId: null, unknownDomain: null };
    if (decision.kind !== 'message') return undefined;
    const member = await findMemberByEmail(tx, decision.sender);
    const isUnknown = member === undefined || (await isUnknownSender(tx, member.id));
    const domain = decision.sender.slice(decision.sender.lastIndexOf('@') + 1);
    return { memberId: member?.id ?? null, unknownDomain: isUnknown ? domain : null };
  });
}

/**
 * Carries out what is to become of a mail, once: as a message in a chat of its sender, which the agent answers, as news of
 * a delivery, or as a mail that a person looks at. Attachments that are not needed are dropped.
 */
export async function receiveEmail(
  context: OutreachContext,
  ref: InboundRef,
  mail: ReadMail,
  attachments: readonly KeptAttachment[],
): Promise<MailOutcome> {
  const { db, clock } = context;
  const now = clock.now();
  return db.inWorkspace(ref.workspaceId, async (tx) => {
    const inbox = await inboxOf(tx, ref);
    // Mails of one sender take turns: two at once begin one chat.
    const sender = mail.header && inbox && provedSender(mail.header, inbox.authservId);
    if (sender != null) await lockSubject(tx, `email:${sender}`);
    // The erasure of a member takes these locks in the same order.
    const known = sender == null ? undefined : await findMemberByEmail(tx, sender);
    if (known !== undefined) await lockMember(tx, known.id);
    const row = await lockInboundEmail(tx, ref.inboundEmailId);
    if (row === undefined || inbox === undefined || row.state !== 'received') {
      await drop(tx, attachments, now);
      return { state: row?.state ?? 'gone', reason: row?.reason ?? null };
    }
    const decision = await decideMail(tx, inbox, mail, now);
    const receiving = { context, tx, inbox, row, mail, attachments, now };
    const settled = await carryOut(receiving, decision);
    if (decision.kind !== 'message' && decision.kind !== 'takeover') await drop(tx, attachments, now);
    await settle(receiving, settled);
    return { state: settled.state, reason: settled.reason };
  });
}

interface Receiving {
  context: OutreachContext;
  tx: Tx;
  inbox: InboxRow;
  row: InboundEmailRow;
  mail: ReadMail;
  attachments: readonly KeptAttachment[];
  now: Date;
}

interface Settled extends MailOutcome {
  state: InboundEmailState;
  chatId?: number | null;
  messageId?: number;
  /** The message has everything that is in the mail. */
  isComplete?: boolean;
}

async function inboxOf(tx: Tx, ref: InboundRef): Promise<InboxRow | undefined> {
  const row = await findInboundEmail(tx, ref.inboundEmailId);
  return row && findInbox(tx, row.inboxId);
}

async function drop(tx: Tx, attachments: readonly KeptAttachment[], now: Date): Promise<void> {
  for (const kept of attachments) {
    if ('content' in kept) await doomPendingObject(tx, kept.content.objectId, now);
  }
}

async function carryOut(receiving: Receiving, decision: MailDecision): Promise<Settled> {
  const { tx, now } = receiving;
  switch (decision.kind) {
    case 'noted':
      return { state: 'noted', reason: decision.reason };
    case 'held':
      return { state: 'held', reason: decision.reason };
    case 'report': {
      const { report, sent, byToken } = decision;
      await settleByReport(tx, sent, { ...report, byToken }, now);
      return { state: 'report', reason: report.kind, chatId: sent.chatId };
    }
    case 'returned': {
      await callAboutEmail(tx, decision.sent, 'email_returned');
      return { state: 'report', reason: 'returned', chatId: decision.sent.chatId };
    }
    case 'takeover':
      return takeOver(receiving, decision.chatId);
    case 'message':
      return takeMessage(receiving, decision);
  }
}

async function settle(
  { tx, row, mail, now }: Receiving,
  { state, reason, chatId = null, messageId, isComplete = false }: Settled,
): Promise<void> {
  await patchInboundEmail(tx, row.id, {
    state,
    reason,
    needsResponse: state === 'held',
    subject: mail.content?.subject ?? null,
    chatId,
    messageId: messageId ?? null,
    settledAt: now,
    ...(isComplete ? { objectId: null } : {}),
  });
  if (state === 'held') {
    reportOccurrence(tx, { kind: 'email_held', reason: reason ?? 'unknown' });
  }
}

async function takeMessage(
  receiving: Receiving,
  { sender, chatId, answersOurs, automatic, isUnsure, isCapped }: Extract<MailDecision, { kind: 'message' }>,
): Promise<Settled> {
  const { context, tx, inbox, mail, row, now } = receiving;
  const content = mail.content as MailContent;
  const isAnswer = async () => chatId !== null;
  const from = { channel: 'email', address: sender } as const;
  const member = await memberOfSender(context.db, tx, from, now, isAnswer);
  // A program that answers by itself says nothing of what the person wants.
  if (!automatic && !isUnsure) {
    const tell = await watchOptOut(tx, 'email', { memberId: member.id }, now);
    await allowReplies(tx, sender, row.receivedAt);
    await tell('request');
  }
  const isLate = now.getTime() - row.receivedAt.getTime() > answeredForMs;
  const isAnswered = !automatic && !isUnsure && !isLate && !isCapped;
  const named = chatId === null ? undefined : await lockChat(tx, chatId);
  // A concurrent proof may have given the address to another member.
  const known = named?.memberId === member.id ? named : undefined;
  const isNew = known === undefined;
  const thread = isNew || !answersOurs ? null : await knownThread(tx, known, inbox);
  const words = ownWords(content.text, thread);
  const text = isNew ? withSubject(content.subject, words.own) : words.own;
  const meant = automatic || isUnsure ? null : findOptOutWords(text, 'email');
  const optsOut = meant?.isClear === true;
  const chat = known ?? (await openEmailChat(receiving, member, isAnswered && meant === null));
  const { email, files, media } = await storeParts(receiving, chat, { sender, automatic, words });
  const common = { content: text, email, media };
  let message: MessageRow;
  if (isAnswered && !optsOut) {
    const open = meant === null ? chat : await holdForOptOut(tx, chat, now);
    message = await takeUserMessage(tx, open, { ...common, authorMemberId: member.id, files }, now);
    if (meant !== null) await alertColleague(tx, chat, optOutUnclear);
  } else {
    const author = automatic ? 'system' : 'member';
    const written = { author, memberId: member.id, content: text } as const;
    message = await storeReceived(tx, chat, { ...written, ...email, ...media }, now);
    await attachToMessage(tx, chat, message, files, member.id);
    if (optsOut) {
      const said = { source: 'words', heardOn: 'email', words: text } as const;
      const news = await optOutBySaying(tx, { ...member, email: sender }, meant.channels, said, now);
      const called = { archived: false, lastMessageReceivedAt: now };
      const told = await alertColleague(tx, chat, 'opted_out', called);
      if (isAnswered && news.length > 0) await confirmByEmail(tx, told, news, now);
    } else if (!automatic) {
      const reason = isCapped ? 'too_many_emails' : isUnsure ? 'automatic_email' : 'late_message';
      await alertColleague(tx, chat, reason, { archived: false, lastMessageReceivedAt: now });
    }
  }
  await patchEmail(tx, email.emailId, { messageId: message.id });
  if (!automatic) await callForRoom(receiving, chat);
  const reason = isNew ? beganChat : automatic || isUnsure ? 'automatic' : isCapped ? 'capped' : null;
  return { state: 'chat', reason, chatId: chat.id, messageId: message.id, isComplete: isWhole(receiving) };
}

/** Alerts a colleague because attachments were not kept, once a day at most, unless one is alerted already. */
async function callForRoom({ tx, inbox, attachments, now }: Receiving, { id }: ChatRow): Promise<void> {
  if (noRoomFor(attachments) === undefined) return;
  const chat = await lockChat(tx, id);
  if (chat === undefined || chat.needsResponse) return;
  if (await claimAttachmentsTold(tx, inbox.id, { now, before: new Date(now.getTime() - dayMs) })) {
    await alertColleague(tx, chat, 'attachments_not_kept');
  }
}

async function takeOver(receiving: Receiving, chatId: number): Promise<Settled> {
  const { tx, inbox, mail, now } = receiving;
  const content = mail.content as MailContent;
  const chat = await lockChat(tx, chatId);
  if (chat === undefined) return { state: 'held', reason: 'own_address' };
  const words = ownWords(content.text, await knownThread(tx, chat, inbox));
  const written = { sender: inbox.address, automatic: false, words };
  const { email, files, media } = await storeParts(receiving, chat, written);
  const message = await takeMailboxMessage(tx, chat, { content: words.own, email, files }, now);
  if (media.files.length > files.length) await patchMessage(tx, message.id, { files: media.files });
  await patchEmail(tx, email.emailId, { messageId: message.id });
  return {
    state: 'chat',
    reason: 'takeover',
    chatId: chat.id,
    messageId: message.id,
    isComplete: isWhole(receiving),
  };
}

function openEmailChat(
  { context, tx, inbox, mail, now }: Receiving,
  member: MemberRow,
  withWorkflow: boolean,
) {
  const place = {
    channel: 'email',
    memberId: member.id,
    inboxId: inbox.id,
    title: mail.content?.subject || null,
    assistantMemberId: inbox.assistantMemberId,
    definitionId: withWorkflow ? inbox.definitionId : null,
  } as const;
  return openInboundChat(tx, place, { ...context, now });
}

/** The first message of a chat says what it is about, which people may write into the subject only. */
function withSubject(subject: string, text: string): string {
  return [subject, text].filter((part) => part !== '').join('\n\n');
}

/** Stores the email of a message, and files of its attachments. */
async function storeParts(
  { tx, inbox, mail, attachments, now }: Receiving,
  chat: ChatRow,
  { sender, automatic, words }: { sender: string; automatic: boolean; words: ReadText },
) {
  const content = mail.content as MailContent;
  const { id: emailId } = await insertEmail(tx, {
    ...threadOf(mail.header?.fields ?? []),
    inboxId: inbox.id,
    chatId: chat.id,
    direction: 'in',
    subject: content.subject,
    fromAddress: sender,
    toAddress: inbox.address,
    automatic,
    createdAt: now,
  });
  const files = [];
  for (const kept of attachments) {
    if ('content' in kept) files.push(await insertMedia(tx, chat, kept.content, now));
  }
  const reason = noRoomFor(attachments);
  if (reason !== undefined) {
    reportOccurrence(tx, { kind: 'attachment_not_kept', reason });
  }
  const { length } = content.attachments;
  const left = length > messageLimits.files ? [tooManyFiles] : [];
  // It was not foreseen that they would be needed: they are in the bytes of the mail.
  const missing = Math.min(length, messageLimits.files) - attachments.length;
  for (let count = 0; count < missing; count += 1) left.push(notKept);
  return {
    email: { emailId, inboxId: inbox.id, originalContent: words.whole },
    files,
    media: { files: [...files.map(asFileOfMessage), ...failuresOf(attachments), ...left] },
  };
}

type FailedFile = { status: 'failed'; reason: MediaFailure };
const tooManyFiles: FailedFile = { status: 'failed', reason: 'too_many' };
const notKept: FailedFile = { status: 'failed', reason: 'unavailable' };

const dayMs = 24 * 3_600_000;
const maxReferences = 20;
const maxIdLength = 250;

function threadOf(fields: readonly HeaderField[]) {
  const ids = answeredIds(fields).map(bare);
  const id = messageIdOf(fields);
  return {
    rfcMessageId: id === null ? null : bare(id).slice(0, maxIdLength),
    inReplyTo: ids[0] ?? null,
    // The newest come first, and are stored last.
    referenceIds: ids.slice(0, maxReferences).reverse(),
  };
}

function isWhole({ mail, attachments }: Receiving): boolean {
  const { attachments: sent = [], isCut = true } = mail.content ?? {};
  return !isCut && attachments.length === sent.length && failuresOf(attachments).length === 0;
}
