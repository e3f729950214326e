import type { Tx } from '../../db/database.js';
import { resetAutomaticSteps } from '../../db/queries/assignments.js';
import { type ChatRow, raiseChatVersion, updateChat } from '../../db/queries/chats.js';
import { insertMessage, type MessageContent, type MessageRow } from '../../db/queries/messages.js';
import { notStopped, released } from '../agent/stopped.js';
import { queueDelivery, type UndeliverableReason } from '../deliveries/queue-delivery.js';
import { messageText } from '../messages/message-text.js';
import { pokeChatRun } from '../runs.js';
import { callPerson, noPersonNeeded } from './call-person.js';
import { looksAutomatic } from './looks-automatic.js';
import { paused, takenOverBy } from './pause.js';

/**
 * Stores a user message and sees to an answer: the agent's, or, where none will come, `needsResponse` for a person.
 * Where no agent answers in a web chat, what another participant writes is itself an answer to the member. Reopens an
 * archived chat. The chat's row is locked by the caller.
 */
export async function takeUserMessage(
  tx: Tx,
  chat: ChatRow,
  message: {
    content: MessageContent;
    authorMemberId: number;
    carrierMessageId?: string;
    carrierReceivedAt?: Date | null;
  },
  now: Date,
): Promise<MessageRow> {
  const isAutomatic = await looksAutomatic(tx, chat.id, messageText(message.content));
  const stored = await insertMessage(tx, {
    chatId: chat.id,
    role: 'user',
    content: message.content,
    memberId: message.authorMemberId,
    ...(message.carrierMessageId === undefined ? {} : { carrierMessageId: message.carrierMessageId }),
    carrierReceivedAt: message.carrierReceivedAt ?? null,
  });
  const agentAnswers = chat.assistantEnabled && !chat.paused;
  const answered = !agentAnswers && isAnswerToMember(chat, message.authorMemberId);
  const raised = await raiseChatVersion(tx, chat.id, {
    archived: false,
    lastMessageReceivedAt: now,
    ...(isAutomatic ? {} : attended(chat, now)),
    ...(answered ? noPersonNeeded : {}),
  });
  const memberWaits = !agentAnswers && message.authorMemberId === chat.memberId;
  if (memberWaits && !chat.needsResponse) await callPerson(tx, chat, 'agent_silent');
  await resetAutomaticSteps(tx, chat.id);
  await pokeChatRun(tx, raised);
  return stored;
}

/** Another participant's words, where the member reads them: nothing that is posted reaches a phone or a mailbox. */
function isAnswerToMember(chat: ChatRow, authorMemberId: number): boolean {
  return authorMemberId !== chat.memberId && chat.channel === 'web-chat';
}

/** A person is there again: an agent that spoke too long to nobody goes on. */
function attended(chat: ChatRow, now: Date): Partial<ChatRow> {
  return { attendedAt: now, ...(chat.agentStoppedReason === 'unattended_turns' ? notStopped : {}) };
}

export interface OperatorMessage {
  message: MessageRow;
  /** Why it cannot be delivered, if it cannot. */
  undeliverable: UndeliverableReason | undefined;
}

/**
 * Stores and delivers what a colleague wrote to the member. Where an agent has the chat, the person takes it over:
 * the chat is paused, and a reply the agent is writing loses. The chat's row is locked by the caller.
 */
export async function takeOperatorMessage(
  tx: Tx,
  chat: ChatRow,
  message: { content: MessageContent; authorMemberId: number },
  now: Date,
): Promise<OperatorMessage> {
  const stored = await insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    content: message.content,
    memberId: message.authorMemberId,
  });
  const raised = await raiseChatVersion(tx, chat.id, {
    ...noPersonNeeded,
    ...released(now),
    ...takeover(chat, message.authorMemberId, now),
  });
  const answered = await updateChat(tx, chat.id, { handledVersion: raised.version });
  const undeliverable = await queueDelivery(tx, answered, stored, now);
  await pokeChatRun(tx, answered);
  return { message: stored, undeliverable };
}

/** In a chat that is paused already, the pause becomes the colleague's. */
function takeover(chat: ChatRow, colleagueId: number, now: Date): Partial<ChatRow> {
  if (chat.paused) return takenOverBy(colleagueId, chat);
  return chat.assistantEnabled ? paused(colleagueId, 'operator_reply', now) : {};
}
