import { lockChat } from '../../../db/conversations/chats.js';
import { findMessageByUuid, patchMessage } from '../../../db/conversations/messages.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';

export interface RateMessage {
  /** 1 is good, 0 is bad. */
  rating: number;
  comment?: string;
}

/**
 * Stores the rating of an assistant's message, in the place of an earlier one with its comment.
 * @throws NotFound, Forbidden, InvalidInput `not_an_assistant_message`
 */
export async function rateMessage(
  { db, actor }: CommandContext,
  { chatId, messageUuid }: { chatId: number; messageUuid: string },
  { rating, comment }: RateMessage,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await requireWritable(tx, actor, await lockChat(tx, chatId));
    const message = await findMessageByUuid(tx, messageUuid);
    if (message === undefined || message.chatId !== chat.id) throw new NotFound('Message');
    if (message.role !== 'assistant') {
      const text = 'Only messages with the role assistant can be rated.';
      throw new InvalidInput('not_an_assistant_message', text);
    }
    await patchMessage(tx, message.id, { userRating: rating, userRatingComment: comment ?? null });
  });
}
