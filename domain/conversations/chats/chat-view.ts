import {
  type AssignmentOfChat,
  assignmentsOfChats,
  type ChatLabelDetails,
  type ChatParticipantDetails,
  labelsOfChats,
  participantsOfChats,
} from '../../../db/conversations/chat-details.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { selectWaitingCalls, type WaitingCall } from '../../../db/conversations/tool-approvals.js';
import type { EnteredTx, Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';

/** A chat with all the details that do not depend on the caller. */
export interface ChatDetails extends ChatRow {
  participants: ChatParticipantDetails[];
  labels: ChatLabelDetails[];
  assignmentId: number | null;
  currentTaskName: string | null;
  handoffTask: AssignmentOfChat['handoffTask'];
  /** The tool call that waits for a decision. */
  waitingCall: WaitingCall | undefined;
}

/** What a caller sees of chats beyond their members: `showsQueue` is for colleagues, who see claims and snoozes. */
export interface ChatReader {
  canSendAsAssistant: boolean;
  showsQueue: boolean;
}

/** A chat with all the details for one caller. */
export type ChatView = ChatDetails & ChatReader;

export function chatReader(actor: Actor): ChatReader {
  return { canSendAsAssistant: actor.can('chats:admin'), showsQueue: actor.can('chats:read') };
}

/** Reads a chat and its details, with all queries sent together. */
export async function findChatDetails(tx: EnteredTx, chatId: number): Promise<ChatDetails | undefined> {
  const [chat, complete] = await Promise.all([findChat(tx, chatId), readChatDetails(tx, [chatId])]);
  return chat && complete(chat, await waitingCallsOf(tx, [chat]));
}

/** Reads the details of chats from other tables, in three queries. The returned function adds them to a chat's row. */
export async function readChatDetails(
  tx: EnteredTx,
  chatIds: readonly number[],
): Promise<(chat: ChatRow, calls: readonly WaitingCall[]) => ChatDetails> {
  const [participants, labels, found] = await Promise.all([
    participantsOfChats(tx, chatIds),
    labelsOfChats(tx, chatIds),
    assignmentsOfChats(tx, chatIds),
  ]);
  const assignments = new Map(found.map((row) => [row.chatId, row]));
  return (chat, calls) => ({
    ...chat,
    participants: participants.filter(({ chatId }) => chatId === chat.id),
    labels: labels.filter(({ chatId }) => chatId === chat.id),
    assignmentId: assignments.get(chat.id)?.assignmentId ?? null,
    currentTaskName: assignments.get(chat.id)?.currentTaskName ?? null,
    handoffTask: assignments.get(chat.id)?.handoffTask ?? null,
    waitingCall: calls.find(({ chatId }) => chatId === chat.id),
  });
}

/** The calls of these chats that wait for a decision. Most chats have none, and need no query. */
export async function waitingCallsOf(
  tx: EnteredTx,
  chats: readonly Pick<ChatRow, 'approvalId'>[],
): Promise<WaitingCall[]> {
  const ids = chats.flatMap(({ approvalId }) => (approvalId === null ? [] : [approvalId]));
  return ids.length === 0 ? [] : selectWaitingCalls(tx, ids);
}

export function viewAs(actor: Actor, chat: ChatDetails): ChatView {
  return { ...chat, ...chatReader(actor) };
}

export async function viewChats(tx: Tx, actor: Actor, chats: readonly ChatRow[]): Promise<ChatView[]> {
  if (chats.length === 0) return [];
  const ids = chats.map((chat) => chat.id);
  const [complete, calls] = await Promise.all([readChatDetails(tx, ids), waitingCallsOf(tx, chats)]);
  return chats.map((chat) => viewAs(actor, complete(chat, calls)));
}

export async function viewChat(tx: Tx, actor: Actor, chat: ChatRow): Promise<ChatView> {
  const [complete, calls] = await Promise.all([readChatDetails(tx, [chat.id]), waitingCallsOf(tx, [chat])]);
  return viewAs(actor, complete(chat, calls));
}
