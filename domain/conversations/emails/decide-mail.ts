import { countDeliveriesTo } from '../../../db/channels/deliveries.js';
import { findEmailsByMessageIds } from '../../../db/channels/email-threads.js';
import { type EmailRow, findEmailByToken } from '../../../db/channels/emails.js';
import { countStarted } from '../../../db/channels/inbound-emails.js';
import { findInboxByAddress, type InboxRow } from '../../../db/channels/inboxes.js';
import { type ChatRow, findChat, findLatestEmailChat } from '../../../db/conversations/chats.js';
import { findMember, findMemberByEmail, type MemberRow } from '../../../db/people/members.js';
import { isBarredIdentifier } from '../../../db/people/unproved-identifiers.js';
import type { Tx } from '../../../db/tx.js';
import { provedSender } from '../../channels/email/inbound/authentication-results.js';
import {
  type AutomaticReason,
  automaticReason,
  isReturned,
  isUnsure,
} from '../../channels/email/inbound/automatic.js';
import { type DeliveryReport, readReport } from '../../channels/email/inbound/delivery-report.js';
import { fromAddress } from '../../channels/email/inbound/from-address.js';
import {
  answeredIds,
  type HeaderField,
  type MailHeader,
  messageIdOf,
} from '../../channels/email/inbound/headers.js';
import type { MailContent } from '../../channels/email/inbound/mail-content.js';
import {
  hasOwnReplyAddress,
  isRecipient,
  tokensInRecipients,
} from '../../channels/email/inbound/plus-addresses.js';

/** A mail as it was read. What cannot be read is undefined. */
export interface ReadMail {
  header: MailHeader | undefined;
  content: MailContent | undefined;
}

/** Why a person has to look at a mail. docs/email.md explains each. */
export type HeldReason =
  | AutomaticReason
  | 'unreadable'
  | 'sender_unclear'
  | 'sender_unproved'
  | 'other_sender'
  | 'own_address'
  | 'inbox_disabled'
  | 'daily_cap';

/** What is to become of a mail. */
export type MailDecision =
  | { kind: 'held'; reason: HeldReason; chatId?: number }
  | { kind: 'noted'; reason: string }
  /** It says what became of a message that we sent. */
  | { kind: 'report'; report: DeliveryReport; sent: EmailRow; byToken: boolean }
  /** It came back to where a message of ours returns, and no program can read why. */
  | { kind: 'returned'; sent: EmailRow }
  /** A colleague has answered from the mailbox. */
  | { kind: 'takeover'; chatId: number }
  /** The sender, who is proved, writes into a chat of its own, or begins one. */
  | {
      kind: 'message';
      sender: string;
      chatId: number | null;
      /** It names something that we have sent in that chat. */
      answersOurs: boolean;
      /** A program has sent it. */
      automatic: boolean;
      /** A program may have sent it. */
      isUnsure: boolean;
      isCapped: boolean;
    };

/** The chats that mails of one sender, of one domain (which can have any number of senders), and of all, begin in an inbox within a day; further mails are held. */
export const maxStartedADay = { ofSender: 10, ofDomain: 250, all: 1_000 };
/**
 * How many messages go to one sender by mail within an hour before the agent no longer answers: two programs that answer
 * each other need not say that they are programs.
 */
export const maxAnswersAnHour = 20;
/** A mail that names no thread belongs to the chat in which its sender wrote within this time. */
const sameMatterMs = 3_600_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Decides what becomes of a mail. Writes nothing. */
export async function decideMail(
  tx: Tx,
  inbox: InboxRow,
  { header, content }: ReadMail,
  now: Date,
): Promise<MailDecision> {
  if (header === undefined || content === undefined) return { kind: 'held', reason: 'unreadable' };
  const { fields } = header;
  const report = reportIn(content);
  if (report !== undefined) return decideReport(tx, fields, report);
  const from = fromAddress(fields);
  const returned = await findReturned(tx, fields);
  if (returned !== undefined && isReturned(fields, from, returned.toAddress)) {
    return { kind: 'returned', sent: returned };
  }
  if (!inbox.enabled) return { kind: 'held', reason: 'inbox_disabled' };

  const sender = provedSender(header, inbox.authservId);
  const automatic = automaticReason(fields, from);
  if (from !== null && (await findInboxByAddress(tx, from)) !== undefined) {
    return decideOwnMail(tx, fields, sender !== null && automatic === null);
  }
  if (sender === null) {
    // A notice of a program, which nobody expects an answer to.
    if (automatic !== null && !isUnsure(automatic)) return { kind: 'noted', reason: automatic };
    return { kind: 'held', reason: from === null ? 'sender_unclear' : 'sender_unproved' };
  }
  const member = await findMemberByEmail(tx, sender);
  const threads = await findThreads(tx, fields);
  const address = { channel: 'email', address: sender } as const;
  const isBarred =
    member !== undefined && (await isBarredIdentifier(tx, { memberId: member.id, ...address }));
  const own = threads.find(
    ({ chat, sentTo }) => chat.memberId === member?.id && (!isBarred || sentTo.includes(sender)),
  );
  if (own === undefined && threads.some(({ isOfOurs }) => isOfOurs)) {
    return { kind: 'held', reason: 'other_sender' };
  }
  // What a program sends continues a chat, but begins none.
  if (own === undefined && automatic !== null) {
    return { kind: isUnsure(automatic) ? 'held' : 'noted', reason: automatic };
  }
  if (await isCopyOfOther(tx, inbox, fields, sender)) return { kind: 'noted', reason: 'copy' };
  const chatId = own?.chat.id ?? (isBarred ? undefined : await chatOfSameMatter(tx, inbox, member, now));
  if (chatId === undefined && (await hasStartedEnough(tx, inbox, sender, now))) {
    return { kind: 'held', reason: 'daily_cap' };
  }
  const since = new Date(now.getTime() - hourMs);
  const sent = await countDeliveriesTo(tx, sender, { since, except: 0, most: maxAnswersAnHour });
  return {
    kind: 'message',
    sender,
    chatId: chatId ?? null,
    answersOurs: own?.answersOurs ?? false,
    automatic: automatic !== null && !isUnsure(automatic),
    isUnsure: automatic !== null && isUnsure(automatic),
    isCapped: sent >= maxAnswersAnHour,
  };
}

function reportIn({ reportParts }: MailContent): DeliveryReport | undefined {
  return readReport(
    reportParts.map(({ type, content }) => ({ type, content: Buffer.from(content, 'base64') })),
  );
}

/**
 * A report is matched by the address that it returned to, which is different for each message, or by the Message-ID of
 * the message in it. Without a match it has no effect: a bounce begins no conversation.
 */
async function decideReport(
  tx: Tx,
  fields: readonly HeaderField[],
  report: DeliveryReport,
): Promise<MailDecision> {
  const returned = await findReturned(tx, fields);
  if (returned !== undefined) return { kind: 'report', report, sent: returned, byToken: true };
  const ids = report.messageId === null ? [] : [bare(report.messageId)];
  const sent = (await findEmailsByMessageIds(tx, ids)).find(({ direction }) => direction === 'out');
  return sent === undefined
    ? { kind: 'noted', reason: 'unknown_message' }
    : { kind: 'report', report, sent, byToken: false };
}

/** The email of ours whose return path a mail came to. */
async function findReturned(tx: Tx, fields: readonly HeaderField[]): Promise<EmailRow | undefined> {
  for (const { kind, token } of tokensInRecipients(fields)) {
    const sent = kind === 'return' ? await findEmailByToken(tx, 'return', token) : undefined;
    if (sent !== undefined) return sent;
  }
  return undefined;
}

/**
 * A mail from an inbox of the workspace is never a member's: a copy of what we have sent, or a colleague who answers a
 * member from the mailbox, if the mailbox server vouches for that.
 */
async function decideOwnMail(
  tx: Tx,
  fields: readonly HeaderField[],
  isColleague: boolean,
): Promise<MailDecision> {
  const ownId = messageIdOf(fields);
  const copies = ownId === null ? [] : await findEmailsByMessageIds(tx, [bare(ownId)]);
  // A relay may have replaced the Message-ID.
  const isSent = hasOwnReplyAddress(fields) || copies.some(({ direction }) => direction === 'out');
  if (isSent) return { kind: 'noted', reason: 'own_mail' };
  if (!isColleague) return { kind: 'held', reason: 'own_address' };
  for (const { chat } of await findThreads(tx, fields)) {
    const member = await findMember(tx, chat.memberId);
    if (member?.email != null && isRecipient(fields, member.email)) {
      return { kind: 'takeover', chatId: chat.id };
    }
  }
  return { kind: 'held', reason: 'own_address' };
}

/** Whether another inbox of the workspace has received the mail as well, such as one in Cc. */
async function isCopyOfOther(
  tx: Tx,
  inbox: InboxRow,
  fields: readonly HeaderField[],
  sender: string,
): Promise<boolean> {
  const id = messageIdOf(fields);
  const known = id === null ? [] : await findEmailsByMessageIds(tx, [bare(id)]);
  return known.some(
    ({ direction, fromAddress: from, inboxId }) =>
      direction === 'in' && from === sender && inboxId !== inbox.id,
  );
}

interface Thread {
  chat: ChatRow;
  /** Whether something that we sent leads there. Others can write a Message-ID that they have seen somewhere. */
  isOfOurs: boolean;
  /** Whether anything that it names there was sent by us. */
  answersOurs: boolean;
  /** Whom we have sent that to. */
  sentTo: string[];
}

/** The chats that a mail names: by a token in its recipients, then by the Message-IDs that it answers, whatever its subject. */
async function findThreads(tx: Tx, fields: readonly HeaderField[]): Promise<Thread[]> {
  const emails: EmailRow[] = [];
  for (const { kind, token } of tokensInRecipients(fields)) {
    const email = await findEmailByToken(tx, kind, token);
    if (email !== undefined) emails.push(email);
  }
  emails.push(...(await findEmailsByMessageIds(tx, answeredIds(fields).map(bare))));
  const threads = new Map<number, Thread>();
  for (const { chatId, direction, toAddress } of emails) {
    if (chatId === null) continue;
    const isOfOurs = direction === 'out';
    const sentTo = isOfOurs ? [toAddress] : [];
    const known = threads.get(chatId);
    if (known !== undefined) {
      known.answersOurs ||= isOfOurs;
      known.sentTo.push(...sentTo);
    }
    const chat = known === undefined ? await findChat(tx, chatId) : undefined;
    if (chat !== undefined) threads.set(chatId, { chat, isOfOurs, answersOurs: isOfOurs, sentTo });
  }
  return [...threads.values()];
}

async function chatOfSameMatter(
  tx: Tx,
  inbox: InboxRow,
  member: MemberRow | undefined,
  now: Date,
): Promise<number | undefined> {
  const latest = member && (await findLatestEmailChat(tx, member.id, inbox.id));
  if (latest === undefined || latest.archived || latest.lastMessageReceivedAt === null) return undefined;
  return now.getTime() - latest.lastMessageReceivedAt.getTime() < sameMatterMs ? latest.id : undefined;
}

async function hasStartedEnough(tx: Tx, inbox: InboxRow, from: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - dayMs);
  const begun = await countStarted(tx, { inboxId: inbox.id, from, since, most: maxStartedADay.all });
  const { all, ofDomain, ofSender } = maxStartedADay;
  return begun.all >= all || begun.ofDomain >= ofDomain || begun.ofSender >= ofSender;
}

/** A Message-ID as it is stored. */
export function bare(id: string): string {
  return id.slice(1, -1);
}
