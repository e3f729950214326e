import { type ChatAct, selectChatActs } from '../../../db/conversations/chat-acts.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';

/**
 * Lists what colleagues did with a chat and wrote in it, the newest first. `next`: where the list goes on.
 * @throws Forbidden, NotFound, InvalidInput
 */
export async function listChatActs(
  { db, actor }: CommandContext,
  chatId: number,
  { before, limit }: { before?: string; limit: number },
): Promise<{ items: ChatAct[]; next?: string }> {
  actor.require('chats:read');
  const place = before === undefined ? undefined : placeOf(before);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findChat(tx, chatId)) === undefined) throw new NotFound('Chat');
    const items = await selectChatActs(tx, chatId, place, limit + 1);
    if (items.length <= limit) return { items };
    const shown = items.slice(0, limit);
    const last = shown.at(-1);
    return { items: shown, next: `${last?.messageId}.${last?.actId}` };
  });
}

/** @throws InvalidInput */
function placeOf(before: string): { messageId: number; actId: number } {
  const [messageId, actId] = before.split('.').map(Number);
  if (!Number.isSafeInteger(messageId) || !Number.isSafeInteger(actId)) {
    throw InvalidInput.field('/before', 'is not the next of a page before');
  }
  return { messageId: messageId as number, actId: actId as number };
}
