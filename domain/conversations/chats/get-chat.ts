import type { EnteredTx } from '../../../db/tx.js';
import { requireReadable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { type ChatDetails, type ChatView, findChatDetails, viewAs } from './chat-view.js';

/** Reads what `getChat` needs, before the caller is known. */
export async function prefetchChat(tx: EnteredTx, chatId: number) {
  return { chat: await findChatDetails(tx, chatId) };
}

/**
 * Returns a chat that the caller may read, from the result of `prefetchChat` if there is one. @throws NotFound,
 * Forbidden
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
