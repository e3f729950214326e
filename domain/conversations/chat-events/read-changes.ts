import { listMessageChanges } from '../../../db/conversations/chat-changes.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { Database } from '../../../db/database.js';
import type { ChatPlace } from '../../../db/live/notices.js';
import { readChatDetails } from '../chats/chat-view.js';
import type { ChangeBatch, ChatChange } from './chat-change.js';

/** Messages per read. */
const pageSize = 50;

/**
 * Reads the changes in a chat after a revision; undefined if the chat is gone.
 *
 * The chat's row defines the upper revision. Later statements of the transaction may see newer commits, never older
 * ones; changes beyond the upper revision are left for the next read.
 */
export async function readChanges(
  db: Database,
  { workspaceId, chatId }: ChatPlace,
  after: number,
): Promise<ChangeBatch | undefined> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const chat = await findChat(tx, chatId);
    if (chat === undefined) return undefined;
    if (chat.revision <= after) return { after, upTo: after, changes: [], complete: true };

    const page = { after, upTo: chat.revision, limit: pageSize };
    const { changes: messages, complete } = await listMessageChanges(tx, chatId, page);
    const upTo = complete ? chat.revision : (messages.at(-1)?.revision ?? chat.revision);
    const changes: ChatChange[] = messages.map(({ revision, isNew, message }) => ({
      kind: isNew ? 'message.created' : 'message.updated',
      revision,
      message,
    }));
    if (chat.changedRevision > after && chat.changedRevision <= upTo) {
      const [details] = await readChatDetails(tx, [chat]);
      if (details !== undefined) {
        changes.push({ kind: 'chat.updated', revision: chat.changedRevision, chat: details });
        changes.sort((one, other) => one.revision - other.revision);
      }
    }
    return { after, upTo, changes, complete };
  });
}
