import { lockChat } from '../../../db/conversations/chats.js';
import type { CommandContext } from '../../kernel/context.js';

/** Takes the lock of a change of a chat, if it exists, within the transaction of `db`. */
export async function lockChatForChange({ db, actor }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => lockChat(tx, chatId));
}
