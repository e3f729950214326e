import { selectChatsAfter } from '../../../../db/conversations/chat-lists.js';
import type { CommandContext } from '../../../kernel/context.js';
import { type ChatView, viewChats } from '../chat-view.js';
import { type ChatQuery, visibleChats } from '../list-chats.js';

const chatsInBatch = 200;

/**
 * Reads the chats of a filter that the caller may see, in order of id, in batches while they are consumed. Each appears
 * once.
 */
export async function* chatsInOrder(
  { db, actor }: CommandContext,
  query: ChatQuery,
): AsyncGenerator<ChatView> {
  const filter = visibleChats(actor, query);
  for (let after = 0; ; ) {
    const since = after;
    const batch = await db.readInWorkspace(actor.workspaceId, async (tx) =>
      viewChats(tx, actor, await selectChatsAfter(tx, filter, since, chatsInBatch)),
    );
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < chatsInBatch) return;
    after = last.id;
  }
}
