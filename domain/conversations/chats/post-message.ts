import { lockChat } from '../../../db/conversations/chats.js';
import type { MessageContent, MessageRow } from '../../../db/conversations/messages.js';
import { isParticipant } from '../../../db/conversations/participants.js';
import { messageText } from '../../channels/message-text.js';
import { lockAttachableFiles } from '../../files/attachments/lock-attachable-files.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { takeUserMessage } from './take-message.js';

/** Posts a user message by the caller, or, if the caller does not take part, on behalf of the chat's member. */
export async function postMessage(
  { db, actor, clock }: CommandContext,
  {
    chatId,
    content,
    files: fileIds = [],
  }: { chatId: number; content: MessageContent; files?: readonly number[] },
): Promise<MessageRow> {
  const now = clock.now();
  if (messageText(content).trim() === '' && fileIds.length === 0)
    throw InvalidInput.field('/content', 'must contain text');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    const takesPart = chat.memberId === actor.memberId || (await isParticipant(tx, chat.id, actor.memberId));
    if (!takesPart) actor.require('chats:write');
    const authorMemberId = takesPart ? actor.memberId : chat.memberId;
    const files = await lockAttachableFiles(tx, actor, fileIds);
    const message = { content, authorMemberId, files, attachedByMemberId: actor.memberId };
    return takeUserMessage(tx, chat, message, now);
  });
}
