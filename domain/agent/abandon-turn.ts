import { lockChat, updateChat } from '../../db/queries/chats.js';
import type { ServiceContext } from '../context.js';

/** The agent cannot answer (no model, or it failed for good): a person has to. The next message tries again. */
export async function abandonTurn(
  context: ServiceContext,
  input: { workspaceId: number; chatId: number },
): Promise<void> {
  await context.db.inWorkspace(input.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined || chat.version === chat.handledVersion) return;
    await updateChat(tx, chat.id, { needsResponse: true, handledVersion: chat.version });
  });
}
