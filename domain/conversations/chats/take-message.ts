import { resetAutomaticSteps } from '../../../db/assignments/assignments.js';
import { nameActingMember } from '../../../db/assignments/timeline-entries.js';
import { type ChatRow, patchChat, raiseChatVersion } from '../../../db/conversations/chats.js';
import {
  hasUserMessageAfter,
  insertMessage,
  lastSpeaker,
  type MessageContent,
  type MessageRow,
  type NewMessage,
  selectRecentUserTexts,
} from '../../../db/conversations/messages.js';
import type { FileRow } from '../../../db/files/files.js';
import type { Tx } from '../../../db/tx.js';
import { queueDelivery, type UndeliverableReason } from '../../channels/deliveries/queue-delivery.js';
import { messageText, partsAsWritten } from '../../channels/message-text.js';
import { withdrawApproval } from '../../chat-state/approvals.js';
import { notStopped, paused, released, takenOverBy } from '../../chat-state/pause.js';
import { storeReceived } from '../../chat-state/store-received.js';
import { asFileOfMessage, attachToMessage } from '../../files/attachments/attach-to-message.js';
import { alertColleague, noPersonNeeded, notSnoozed, whyUnanswered } from '../../kernel/alert-colleague.js';
import { messageSentEvent } from '../../kernel/events/message-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { pokeChatRun } from '../../kernel/runs.js';

/** Columns of a message that came by email. */
export type EmailOfMessage = Pick<NewMessage, 'emailId' | 'inboxId' | 'originalContent'>;

/**
 * Stores a user message and ensures an answer: by the agent, or else by a person (`needsResponse`). In a web chat
 * without an agent, a message of another participant counts as the answer to the member. Reopens an archived chat. The
 * caller holds the chat's row lock.
 */
export async function takeUserMessage(
  tx: Tx,
  chat: ChatRow,
  message: {
    content: MessageContent;
    authorMemberId: number;
    /** By which the sender knows it. Default: a random one. */
    uuid?: string;
    carrierMessageId?: string;
    carrierReceivedAt?: Date | null;
    /** The email that the message came in. */
    email?: EmailOfMessage;
    /** What is stored of media that are fetched later. */
    media?: Pick<NewMessage, 'files' | 'mediaAwaitedSince'>;
    /** Files that the sender may read, pinned. */
    files?: readonly FileRow[];
    /** Who attached them; by default the author. */
    attachedByMemberId?: number;
  },
  now: Date,
): Promise<MessageRow> {
  const { files = [] } = message;
  const isAutomatic = await seemsAutomatic(tx, chat.id, messageText(message.content));
  const written: Parameters<typeof storeReceived>[2] = {
    ...(message.uuid === undefined ? {} : { uuid: message.uuid }),
    author: message.authorMemberId === chat.memberId ? 'member' : 'person',
    content: message.content,
    files: files.map(asFileOfMessage),
    ...message.media,
    ...message.email,
    memberId: message.authorMemberId,
    carrierMessageId: message.carrierMessageId,
    carrierReceivedAt: message.carrierReceivedAt,
  };
  const stored = await storeReceived(tx, chat, written, now);
  await attachToMessage(tx, chat, stored, files, message.attachedByMemberId ?? message.authorMemberId);
  const agentAnswers = chat.assistantEnabled && !chat.paused;
  const isFromMember = message.authorMemberId === chat.memberId;
  // On other channels than web chat, posted messages do not reach the member.
  const answered = !agentAnswers && !isFromMember && chat.channel === 'web-chat';
  const raised = await raiseChatVersion(tx, chat.id, {
    archived: false,
    lastMessageReceivedAt: now,
    ...(isAutomatic ? {} : attended(chat, now)),
    ...(isFromMember ? notSnoozed : {}),
    ...(answered ? noPersonNeeded : {}),
  });
  if (isFromMember && !agentAnswers && !chat.needsResponse)
    await alertColleague(tx, chat, whyUnanswered(chat));
  await resetAutomaticSteps(tx, chat.id);
  await pokeChatRun(tx, raised);
  return stored;
}

/** Shorter texts are not compared: people repeat short answers, while automatic replies are sentences. */
const minSentenceLength = 16;
const maxReplyLength = 2_000;
const messagesToCompare = 5;

/** Whether a message repeats one of the latest, as automatic replies do: no sign that a person is present. */
async function seemsAutomatic(tx: Tx, chatId: number, text: string): Promise<boolean> {
  const wanted = normalize(text);
  if (wanted.length < minSentenceLength || wanted.length > maxReplyLength) return false;
  const latest = await selectRecentUserTexts(tx, chatId, messagesToCompare);
  return latest.some((content) => normalize(messageText(content)) === wanted);
}

function normalize(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** The fields to update when a person has written: an agent stopped for too many unattended turns continues. */
function attended(chat: ChatRow, now: Date): Partial<ChatRow> {
  return { attendedAt: now, ...(chat.agentStoppedReason === 'unattended_turns' ? notStopped : {}) };
}

/**
 * Stores and delivers a colleague's message to the member. Where an agent is active, the colleague takes over: the chat
 * is paused, and a reply in progress is dropped. The caller holds the chat's row lock. A text that is too long for an SMS
 * becomes several messages, as the agent's do; the files are of the first.
 */
export async function takeOperatorMessage(
  tx: Tx,
  chat: ChatRow,
  message: {
    content: string;
    authorMemberId: number;
    /** Files that the colleague may read, pinned. */
    files?: readonly FileRow[];
    /** What the colleague had seen of the chat, if the message was written earlier. By default everything. */
    seen?: SeenOfChat;
  },
  now: Date,
): Promise<{ messages: [MessageRow, ...MessageRow[]]; undeliverable: UndeliverableReason | undefined }> {
  const { files = [], authorMemberId, seen } = message;
  const isOvertaken = seen !== undefined && (await waitsForMore(tx, chat, seen));
  await nameActingMember(tx, authorMemberId);
  const written = { chatId: chat.id, role: 'assistant', author: 'person', memberId: authorMemberId } as const;
  const [text = message.content, ...further] = partsAsWritten(chat.channel, message.content);
  const first = await insertMessage(tx, { ...written, content: text, files: files.map(asFileOfMessage) });
  await attachToMessage(tx, chat, first, files, authorMemberId);
  const messages: [MessageRow, ...MessageRow[]] = [first];
  for (const content of further) messages.push(await insertMessage(tx, { ...written, content }));
  const free = await withdrawApproval(tx, chat, now);
  const raised = await raiseChatVersion(tx, chat.id, {
    ...(isOvertaken ? {} : noPersonNeeded),
    ...released(now),
    ...takeover(chat, authorMemberId, now),
  });
  const answered = await patchChat(tx, chat.id, { handledVersion: raised.version });
  if (isOvertaken && !free.needsResponse) await alertColleague(tx, chat, whyUnanswered(chat));
  let undeliverable: UndeliverableReason | undefined;
  const isPlanned = seen !== undefined;
  const endedWait = chat.needsResponse && !isOvertaken;
  for (const stored of messages) {
    const reason = await queueDelivery(tx, answered, stored, now, { isPlanned, endedWait });
    undeliverable ??= reason;
  }
  await pokeChatRun(tx, answered);
  return { messages, undeliverable };
}

/** The newest message of a chat, and since when it waits for a person, as an author has seen them. */
export interface SeenOfChat {
  messageId: number;
  waitingSince: Date | null;
}

/** Whether the member, or the chat, waits for a person because of what its author had not seen. */
async function waitsForMore(tx: Tx, chat: ChatRow, seen: SeenOfChat): Promise<boolean> {
  const hasNews = await hasUserMessageAfter(tx, chat.id, seen.messageId);
  if (!chat.needsResponse) return hasNews && (await lastSpeaker(tx, chat.id)) === 'user';
  return hasNews || chat.needsResponseSince?.getTime() !== seen.waitingSince?.getTime();
}

/**
 * Stores what a colleague has sent to the member from a mailbox, past the service, and which colleague is not known. Where an
 * agent is active, it is a takeover like `takeOperatorMessage`. The caller holds the chat's row lock.
 */
export async function takeMailboxMessage(
  tx: Tx,
  chat: ChatRow,
  message: { content: MessageContent; email: EmailOfMessage; files: readonly FileRow[] },
  now: Date,
): Promise<MessageRow> {
  const { content, email, files } = message;
  const stored = await insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    author: 'person',
    content,
    files: files.map(asFileOfMessage),
    ...email,
  });
  await attachToMessage(tx, chat, stored, files, null);
  await writeEvents(tx, [messageSentEvent(chat, stored, 'email')], now);
  await withdrawApproval(tx, chat, now);
  const raised = await raiseChatVersion(tx, chat.id, {
    ...noPersonNeeded,
    ...released(now),
    ...(chat.assistantEnabled && !chat.paused ? paused(null, 'operator_reply', now) : {}),
  });
  await pokeChatRun(tx, await patchChat(tx, chat.id, { handledVersion: raised.version }));
  return stored;
}

/** If the chat is already paused, the pause passes to the colleague. */
function takeover(chat: ChatRow, colleagueId: number, now: Date): Partial<ChatRow> {
  if (chat.paused) return takenOverBy(colleagueId, chat);
  return chat.assistantEnabled ? paused(colleagueId, 'operator_reply', now) : {};
}
