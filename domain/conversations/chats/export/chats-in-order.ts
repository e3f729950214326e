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
  const batches = batchesInOrder(chatsInBatch, (after) =>
    db.readInWorkspace(actor.workspaceId, async (tx) =>
      viewChats(tx, actor, await selectChatsAfter(tx, filter, after, chatsInBatch)),
    ),
  );
  for await (const chats of batches) yield* chats;
}

/** Reads rows in order of id, at most `size` after the one that is named, each batch while the one before is consumed. */
export async function* batchesInOrder<Row extends { id: number }>(
  size: number,
  readAfter: (id: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let prefetch: Promise<Row[]> | undefined = readAfter(0); prefetch !== undefined; ) {
    const batch: Row[] = await prefetch;
    const last = batch.at(-1);
    prefetch = last === undefined || batch.length < size ? undefined : readAfter(last.id);
    // A consumer that stops does not wait for it.
    prefetch?.catch(() => undefined);
    yield batch;
  }
}
