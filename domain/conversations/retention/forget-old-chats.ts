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
import type { Tx } from '../../../db/database.js';
import { detachFilesOfChat } from '../../../db/files/forget-files.js';
import { deleteFiles } from '../../files/files/forget-old-files.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { RetentionSlice } from '../../kernel/retention-slice.js';

const chatsAtOnce = 200;
const attachmentsAtOnce = 100;
const messagesAtOnce = 1_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes what is in the chats of a workspace in which nothing has happened for so many days: messages, files that came
 * with them, recordings of calls, follow-ups, labels, title and summary. The rows of the chats stay, for assignments and the usage of models.
 * A chat with an active assignment, or in which something is to come, is left. Batches are transactions of their own; a
 * chat whose deletion was interrupted is continued by the next pass. @returns how many chats are emptied
 */
export async function forgetOldChats(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
  slice: RetentionSlice,
): Promise<number> {
  const now = clock.now();
  const before = new Date(now.getTime() - days * dayMs);
  let forgotten = 0;
  for (let after: OldChat | undefined = beforeChats; after !== undefined; ) {
    const from: OldChat = after;
    const found = await db.readInWorkspace(workspaceId, (tx) =>
      selectOldChats(tx, { before, after: from, limit: chatsAtOnce }),
    );
    for (const { id, isQuiet } of found) {
      if (!isQuiet) continue;
      if (slice.isOver()) return forgotten;
      if (await forget(id)) forgotten += 1;
    }
    if (slice.isOver()) return forgotten;
    slice.onBatch();
    after = found.length < chatsAtOnce ? undefined : found.at(-1);
  }
  return forgotten;

  async function forget(id: number): Promise<boolean> {
    for (;;) {
      const outcome = await db.inWorkspace(workspaceId, (tx) => forgetPart(tx, id));
      slice.onBatch();
      if (outcome !== 'more') return outcome === 'done';
      if (slice.isOver()) return false;
    }
  }

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
