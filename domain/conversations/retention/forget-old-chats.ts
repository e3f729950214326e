import { removeRecordingsOfChat } from '../../../db/calls/call-recordings.js';
import { removeInboundEmailsOfChat } from '../../../db/channels/inbound-emails.js';
import {
  beforeChats,
  emptyChat,
  lockOldChat,
  type OldChat,
  removeOldestMessages,
  selectOldChats,
} from '../../../db/conversations/forget-chats.js';
import { detachFilesOfChat } from '../../../db/files/forget-files.js';
import type { Tx } from '../../../db/tx.js';
import { deleteFiles } from '../../files/files/forget-old-files.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { Batch } from '../../kernel/retention.js';

/** Looked at in a batch; of so many of them a part is deleted, in a transaction for each. */
const chatsAtOnce = 200;
const partsAtOnce = 20;
const attachmentsAtOnce = 100;
const messagesAtOnce = 1_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes what is in the chats of a workspace in which nothing has happened for so many days: messages, files that came
 * with them, recordings of calls, follow-ups, labels, title and summary. The rows of the chats stay, for assignments and the usage of models.
 * A chat with an active assignment, or in which something is to come, is left. @returns how many chats are emptied; the next
 * batch goes on with a chat of which something is left
 */
export async function forgetOldChats(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
  after: OldChat = beforeChats,
): Promise<Batch<OldChat>> {
  const now = clock.now();
  const before = new Date(now.getTime() - days * dayMs);
  const found = await db.readInWorkspace(workspaceId, (tx) =>
    selectOldChats(tx, { before, after, limit: chatsAtOnce }),
  );
  let deleted = 0;
  let parts = 0;
  let next = after;
  for (const { isQuiet, ...chat } of found) {
    if (isQuiet) {
      if (parts === partsAtOnce) return { deleted, next };
      parts += 1;
      const outcome = await db.inWorkspace(workspaceId, (tx) => forgetPart(tx, chat.id));
      if (outcome === 'more') return { deleted, next };
      if (outcome === 'done') deleted += 1;
    }
    next = chat;
  }
  return { deleted, next: found.length < chatsAtOnce ? undefined : next };

  async function forgetPart(tx: Tx, id: number): Promise<'done' | 'more' | 'left'> {
    if (!(await lockOldChat(tx, id, before))) return 'left';
    const { detached, files } = await detachFilesOfChat(tx, id, attachmentsAtOnce);
    await deleteFiles(tx, files, now);
    if (detached === attachmentsAtOnce) return 'more';
    if ((await removeOldestMessages(tx, id, messagesAtOnce)) === messagesAtOnce) return 'more';
    await removeInboundEmailsOfChat(tx, id);
    await removeRecordingsOfChat(tx, id);
    await emptyChat(tx, id, now);
    return 'done';
  }
}
