import { selectToolCallMessages } from '../../../db/conversations/message-pages.js';
import { findToolCallMessage, type MessageRow } from '../../../db/conversations/messages.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import { readableChat, seesNotes } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/**
 * Lists the result of a tool call and the messages of its inner conversation, newest first. Results are notes, which
 * the member of the chat does not see. @throws NotFound, Forbidden
 */
export async function listToolCallMessages(
  { db, actor }: CommandContext,
  {
    chatId,
    toolCallId,
    limit,
    offset,
  }: { chatId: number; toolCallId: string; limit: number; offset: number },
): Promise<MessageRow[]> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, actor, chatId);
    if ((await findToolCallMessage(tx, chat.id, toolCallId)) === undefined) throw new NotFound('Tool call');
    const withNotes = await seesNotes(actor, chat, (id) => findParticipantRole(tx, id, actor.memberId));
    return selectToolCallMessages(tx, { chatId: chat.id, toolCallId, withNotes }, limit, offset);
  });
}
