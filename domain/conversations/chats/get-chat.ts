import type { EnteredTx } from '../../../db/database.js';
import { requireReadable } from '../../chat-state/readable-chat.js';
import type { CommandContext } from '../../kernel/context.js';
import { type ChatDetails, type ChatView, findChatDetails, viewAs } from './chat-view.js';

/** Reads what `getChat` needs, before the caller is known. */
export async function prefetchChat(
  tx: EnteredTx,
  chatId: number,
): Promise<{ chat: ChatDetails | undefined }> {
  return { chat: await findChatDetails(tx, chatId) };
}

/**
 * Returns a chat. Other members' chats need `chats:read`.
 *
 * @param prefetched the result of `prefetchChat`, if it was prefetched
 * @throws NotFound, Forbidden
 */
export async function getChat(
  { db, actor }: CommandContext,
  chatId: number,
  prefetched?: { chat: ChatDetails | undefined },
): Promise<ChatView> {
  const found = prefetched ?? (await db.readInWorkspace(actor.workspaceId, (tx) => prefetchChat(tx, chatId)));
  const chat = await requireReadable(actor, found.chat, async ({ participants }) =>
    participants.some(({ memberId }) => memberId === actor.memberId),
  );
  return viewAs(actor, chat);
}
