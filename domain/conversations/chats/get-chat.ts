import type { EnteredTx } from '../../../db/database.js';
import { requireReadable } from '../../chat-state/readable-chat.js';
import type { CommandContext } from '../../kernel/context.js';
import { type ChatDetails, type ChatView, findChatDetails, viewAs } from './chat-view.js';

/** What `getChat` asks, whoever calls. */
export async function prefetchChat(
  tx: EnteredTx,
  chatId: number,
): Promise<{ chat: ChatDetails | undefined }> {
  return { chat: await findChatDetails(tx, chatId) };
}

/**
 * One chat: an own one, or any with CHATS_READ.
 *
 * @param asked where that was asked already
 * @throws NotFound, Forbidden
 */
export async function getChat(
  { db, actor }: CommandContext,
  chatId: number,
  asked?: { chat: ChatDetails | undefined },
): Promise<ChatView> {
  const found = asked ?? (await db.readInWorkspace(actor.workspaceId, (tx) => prefetchChat(tx, chatId)));
  const chat = await requireReadable(actor, found.chat, async ({ participants }) =>
    participants.some(({ memberId }) => memberId === actor.memberId),
  );
  return viewAs(actor, chat);
}
