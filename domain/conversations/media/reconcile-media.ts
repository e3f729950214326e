import { findMessage, selectMessagesAwaitingMedia } from '../../../db/conversations/messages.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { ServiceContext } from '../../kernel/context.js';
import { startMediaRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

/** A message that awaits media, by its run `fetchMedia`. */
export interface MediaAwaiting {
  workspaceId: number;
  messageId: number;
  messageUuid: string;
}

const pageSize = 200;

/** Returns the next page of such messages, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfAwaitedMedia(
  context: ServiceContext,
  workspaceId: number,
  afterId = 0,
): Promise<WalkPage<MediaAwaiting, number>> {
  return context.db.readInWorkspace(workspaceId, async (tx) => {
    const messages = await selectMessagesAwaitingMedia(tx, { after: afterId, limit: pageSize });
    const uuids = messages.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'fetchMedia', uuids);
    const items = messages
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, messageId: id, messageUuid: uuid }));
    return { items, next: messages.length < pageSize ? undefined : messages.at(-1)?.id };
  });
}

/** Starts the missing run of a message. Harmless if it exists. */
export async function restartMedia(context: ServiceContext, ref: MediaAwaiting): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const message = await findMessage(tx, ref.messageId);
    if (message !== undefined && message.mediaAwaitedSince !== null) await startMediaRun(tx, message);
  });
}
