import { selectMessagesFrom } from '../../../../db/conversations/message-pages.js';
import type { MessageRow } from '../../../../db/conversations/messages.js';
import { findParticipantRole } from '../../../../db/conversations/participants.js';
import { seesNotes } from '../../../chat-state/chat-access.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import type { ChatView } from '../chat-view.js';
import type { ChatQuery } from '../list-chats.js';
import { chatsInOrder } from './chats-in-order.js';

const messagesInBatch = 200;

/**
 * Exports the chats of a filter that the caller may see, in order of id, each followed by its messages, oldest first.
 * Notes are left out for callers that do not see them. It is recorded before the first chat is read.
 */
export async function* exportTranscripts(
  context: CommandContext,
  query: ChatQuery,
  { withMessages }: { withMessages: boolean },
): AsyncGenerator<{ chat: ChatView } | { message: MessageRow }> {
  const { db, actor } = context;
  await db.inWorkspace(actor.workspaceId, async (tx) => recordAudit(tx, context, 'transcripts:exported'));
  for await (const chat of chatsInOrder(context, query)) {
    yield { chat };
    if (!withMessages) continue;
    for await (const message of messagesOf(context, chat)) yield { message };
  }
}

/** Reads the messages up to the revision of the chat, so that an export of a busy chat comes to an end. */
async function* messagesOf({ db, actor }: CommandContext, chat: ChatView): AsyncGenerator<MessageRow> {
  const withNotes = await seesNotes(actor, chat, (id) =>
    db.readInWorkspace(actor.workspaceId, (tx) => findParticipantRole(tx, id, actor.memberId)),
  );
  for (let after: { revision: number; entryId: number } | undefined; ; ) {
    const from = after;
    const { items, isCut } = await db.readInWorkspace(actor.workspaceId, (tx) =>
      selectMessagesFrom(tx, {
        chatId: chat.id,
        withNotes,
        order: 'asc',
        upTo: chat.revision,
        after: from,
        limit: messagesInBatch,
      }),
    );
    yield* items;
    const last = items.at(-1);
    if (last === undefined || (!isCut && items.length < messagesInBatch)) return;
    after = { revision: last.createdRevision, entryId: 0 };
  }
}
