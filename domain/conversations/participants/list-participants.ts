import { type ChatParticipantDetails, participantsOfChats } from '../../../db/conversations/chat-details.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Lists the participants of a chat in the order in which they joined. @throws NotFound, Forbidden */
export async function listParticipants(
  { db, actor }: CommandContext,
  chatId: number,
): Promise<{ chat: ChatRow; participants: ChatParticipantDetails[] }> {
  actor.require('chats:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await findChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    return { chat, participants: await participantsOfChats(tx, [chat.id]) };
  });
}
