import type { Tx } from '../../db/database.js';
import {
  assignmentsOfChats,
  type ChatLabelDetails,
  type ChatParticipantDetails,
  labelsOfChats,
  participantsOfChats,
} from '../../db/queries/chat-details.js';
import type { ChatRow } from '../../db/queries/chats.js';
import type { Actor } from '../actor.js';

/** A chat with all that is told of it, whoever asks. */
export interface ChatDetails extends ChatRow {
  participants: ChatParticipantDetails[];
  labels: ChatLabelDetails[];
  assignmentId: number | null;
  currentTaskName: string | null;
}

/** A chat with all that is told of it to one caller. */
export interface ChatView extends ChatDetails {
  /** Whether the caller may. */
  canSendAsAssistant: boolean;
}

/** Completes chats: three queries, however many they are. */
export async function readChatDetails(tx: Tx, chats: readonly ChatRow[]): Promise<ChatDetails[]> {
  if (chats.length === 0) return [];
  const ids = chats.map((chat) => chat.id);
  const [participants, labels, found] = await Promise.all([
    participantsOfChats(tx, ids),
    labelsOfChats(tx, ids),
    assignmentsOfChats(tx, ids),
  ]);
  const assignments = new Map(found.map((row) => [row.chatId, row]));
  return chats.map((chat) => ({
    ...chat,
    participants: participants.filter((participant) => participant.chatId === chat.id),
    labels: labels.filter((label) => label.chatId === chat.id),
    assignmentId: assignments.get(chat.id)?.assignmentId ?? null,
    currentTaskName: assignments.get(chat.id)?.currentTaskName ?? null,
  }));
}

/** Completes chats for the caller. */
export async function viewChats(tx: Tx, actor: Actor, chats: readonly ChatRow[]): Promise<ChatView[]> {
  const canSendAsAssistant = actor.can('chats:admin');
  return (await readChatDetails(tx, chats)).map((chat) => ({ ...chat, canSendAsAssistant }));
}

/** `viewChats` for one. */
export async function viewChat(tx: Tx, actor: Actor, chat: ChatRow): Promise<ChatView> {
  const [view] = await viewChats(tx, actor, [chat]);
  if (view === undefined) throw new Error('a chat was given and none came back');
  return view;
}
