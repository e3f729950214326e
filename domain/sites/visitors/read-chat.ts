import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { selectMessages } from '../../../db/conversations/message-pages.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { namesOfColleagues } from '../../conversations/chats/names-of-colleagues.js';
import { NotFound } from '../../lib/errors.js';
import type { VisitorContext } from './visitor-context.js';

/** The chat that a visitor writes in, and whether what it is about is done. */
export interface VisitorChat {
  chat: ChatRow;
  concluded: boolean;
  /** Whether it has an assignment. */
  assigned: boolean;
}

export interface NamedMessage {
  message: MessageRow;
  /** The colleague who wrote it, where the site names them. */
  authorName: string | null;
}

/** The visitor's chat with its newest messages, newest first; undefined before the first message. */
export async function readVisitorChat(
  { db, workspaceId, site, visitor }: VisitorContext,
  { limit, offset }: { limit: number; offset: number },
): Promise<(VisitorChat & { messages: NamedMessage[] }) | undefined> {
  const { chatId } = visitor;
  if (chatId === null) return undefined;
  return db.readInWorkspace(workspaceId, async (tx) => {
    const chat = await findChat(tx, chatId);
    if (chat === undefined) return undefined;
    const messages = await selectMessages(tx, { chatId, withNotes: false }, limit, offset);
    const nameOf = await namesOfColleagues(tx, site.chatShowsNames ? messages : []);
    const named = messages.map((message) => ({ message, authorName: nameOf(message) }));
    return { chat, ...(await standingOf(tx, chat)), messages: named };
  });
}

/** @param onlyIf the chat that has to be the visitor's still @throws NotFound */
export async function followVisitorChat(context: VisitorContext, onlyIf?: number): Promise<VisitorChat> {
  const { chatId } = context.visitor;
  if (chatId === null || (onlyIf !== undefined && onlyIf !== chatId)) throw new NotFound('Chat');
  const found = await readVisitorChat(context, { limit: 1, offset: 0 });
  if (found === undefined) throw new NotFound('Chat');
  return found;
}

/** A chat without an assignment is concluded while the team has archived it. */
export async function standingOf(
  tx: Tx,
  chat: Pick<ChatRow, 'id' | 'archived'>,
): Promise<Pick<VisitorChat, 'concluded' | 'assigned'>> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment === undefined) return { assigned: false, concluded: chat.archived };
  return { assigned: true, concluded: assignment.status !== 'active' };
}
