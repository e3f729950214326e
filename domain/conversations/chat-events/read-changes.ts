import { selectMessageChanges } from '../../../db/conversations/chat-changes.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Database } from '../../../db/database.js';
import type { ChatPlace } from '../../../db/live/notices.js';
import { type ChatDetails, readChatDetails } from '../chats/chat-view.js';

/** A change in a chat, as it is sent to followers. Revisions order the changes of a chat. */
export type ChatChange =
  | { kind: 'message.created' | 'message.updated'; revision: number; message: MessageRow }
  | { kind: 'chat.updated'; revision: number; chat: ChatDetails };

/** All changes after the revision `after`, up to and including `upTo`, in order. */
export interface ChangeBatch {
  after: number;
  upTo: number;
  changes: readonly ChatChange[];
  /** False if there are more changes after `upTo`. */
  complete: boolean;
}

const pageSize = 50;

/**
 * Reads the changes in a chat after a revision; undefined if the chat is gone. Later statements of the transaction may
 * see newer commits than the chat's row; changes beyond the row's revision are left for the next read.
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
    const { changes: messages, complete } = await selectMessageChanges(tx, chatId, page);
    const upTo = complete ? chat.revision : (messages.at(-1)?.revision ?? chat.revision);
    const changes: ChatChange[] = messages.map(({ revision, isNew, message }) => ({
      kind: isNew ? 'message.created' : 'message.updated',
      revision,
      message,
    }));
    if (chat.changedRevision > after && chat.changedRevision <= upTo) {
      const complete = await readChatDetails(tx, [chatId]);
      changes.push({ kind: 'chat.updated', revision: chat.changedRevision, chat: complete(chat) });
      changes.sort((one, other) => one.revision - other.revision);
    }
    return { after, upTo, changes, complete };
  });
}
