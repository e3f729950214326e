import {
  assignmentsOfChats,
  type ChatLabelDetails,
  type ChatParticipantDetails,
  labelsOfChats,
  participantsOfChats,
} from '../../../db/conversations/chat-details.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import type { EnteredTx, Tx } from '../../../db/database.js';
import type { OpenedChat } from '../../chat-state/open-chat.js';
import type { Actor } from '../../kernel/actor.js';

/** A chat with all the details that do not depend on the caller. */
export interface ChatDetails extends ChatRow {
  participants: ChatParticipantDetails[];
  labels: ChatLabelDetails[];
  assignmentId: number | null;
  currentTaskName: string | null;
}

/** A chat with all the details for one caller. */
export interface ChatView extends ChatDetails {
  canSendAsAssistant: boolean;
}

/** Adds the details to chats with three queries, regardless of their number. */
export async function readChatDetails(tx: Tx, chats: readonly ChatRow[]): Promise<ChatDetails[]> {
  if (chats.length === 0) return [];
  const ids = chats.map((chat) => chat.id);
  return chats.map(await readCompletion(tx, ids));
}

/** Reads a chat and its details, with all queries sent together. */
export async function findChatDetails(tx: EnteredTx, chatId: number): Promise<ChatDetails | undefined> {
  const [chat, complete] = await Promise.all([findChat(tx, chatId), readCompletion(tx, [chatId])]);
  return chat && complete(chat);
}

/** The details of a chat that was just created, which has no labels yet. */
export function newChatDetails(
  { chat, participants }: OpenedChat,
  assignment: Pick<ChatDetails, 'assignmentId' | 'currentTaskName'> = {
    assignmentId: null,
    currentTaskName: null,
  },
): ChatDetails {
  return { ...chat, participants, labels: [], ...assignment };
}

/** Reads the details of chats that are stored in other tables. */
async function readCompletion(
  tx: EnteredTx,
  chatIds: readonly number[],
): Promise<(chat: ChatRow) => ChatDetails> {
  const [participants, labels, found] = await Promise.all([
    participantsOfChats(tx, chatIds),
    labelsOfChats(tx, chatIds),
    assignmentsOfChats(tx, chatIds),
  ]);
  const assignments = new Map(found.map((row) => [row.chatId, row]));
  return (chat) => ({
    ...chat,
    participants: participants.filter((participant) => participant.chatId === chat.id),
    labels: labels.filter((label) => label.chatId === chat.id),
    assignmentId: assignments.get(chat.id)?.assignmentId ?? null,
    currentTaskName: assignments.get(chat.id)?.currentTaskName ?? null,
  });
}

export function viewAs(actor: Actor, chat: ChatDetails): ChatView {
  return { ...chat, canSendAsAssistant: actor.can('chats:admin') };
}

export async function viewChats(tx: Tx, actor: Actor, chats: readonly ChatRow[]): Promise<ChatView[]> {
  return (await readChatDetails(tx, chats)).map((chat) => viewAs(actor, chat));
}

/** `viewChats` for one chat. */
export async function viewChat(tx: Tx, actor: Actor, chat: ChatRow): Promise<ChatView> {
  const [view] = await viewChats(tx, actor, [chat]);
  if (view === undefined) throw new Error('a chat was given and none came back');
  return view;
}
