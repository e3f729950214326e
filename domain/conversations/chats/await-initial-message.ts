import { isBeingSent } from '../../../db/channels/deliveries.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { selectInitialMessages } from '../../../db/conversations/messages.js';
import type { CommandContext } from '../../kernel/context.js';
import { checkForMs, type LiveChats } from '../chat-events/live-chats.js';

/**
 * Waits until the provider has taken or refused the initial message of a chat that has just been created, as long as an answer
 * may wait, and returns why it was not sent, if that is known by then. Nothing is held meanwhile, and only so many wait at
 * once. The chat is stored: whatever goes wrong here changes no answer.
 */
export async function awaitInitialMessage(
  { db, clock, actor }: CommandContext,
  live: LiveChats,
  chatId: number,
): Promise<string | null> {
  const { workspaceId, memberId } = actor;
  const by = new Date(clock.now().getTime() + checkForMs);
  let found: Pick<ChatRow, 'initialMessageError'> | undefined;
  const isSettled = () =>
    db.readInWorkspace(workspaceId, async (tx) => {
      const chat = await findChat(tx, chatId);
      if (chat === undefined) return true;
      const ids = (await selectInitialMessages(tx, chat)).map(({ id }) => id);
      if (chat.initialMessageError === null && (await isBeingSent(tx, ids, by))) return false;
      // Read last: the reason is stored in the transaction that ends the delivery.
      found = await findChat(tx, chatId);
      return true;
    });
  try {
    await live.checkUntil({ workspaceId, chatId }, memberId, isSettled);
  } catch {
    return null;
  }
  return found?.initialMessageError ?? null;
}
