import { findChat } from '../../../db/conversations/chats.js';
import { findScheduledMessage, selectDueMessages } from '../../../db/conversations/scheduled-messages.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokeScheduledMessageRun } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

/** A scheduled message that is due, or soon will be, which needs its run. */
export interface DueMessage {
  workspaceId: number;
  scheduledMessageId: number;
  scheduledMessageUuid: string;
}

const pageSize = 200;
/** Longer than two walks of the reconciler take. Before that, a message does without its run. */
const aheadMs = 15 * 60_000;

/** Returns the next page of such messages, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfDueMessages(
  { db, clock }: ServiceContext,
  workspaceId: number,
  after = 0,
): Promise<WalkPage<DueMessage, number>> {
  const by = new Date(clock.now().getTime() + aheadMs);
  return db.readInWorkspace(workspaceId, async (tx) => {
    const messages = await selectDueMessages(tx, { by, after, limit: pageSize });
    const uuids = messages.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'sendScheduledMessage', uuids);
    const items = messages
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, scheduledMessageId: id, scheduledMessageUuid: uuid }));
    return { items, next: messages.length < pageSize ? undefined : messages.at(-1)?.id };
  });
}

/** Pokes the missing run of a message. Harmless if it exists. */
export async function restartScheduledMessage({ db }: ServiceContext, due: DueMessage): Promise<void> {
  await db.inWorkspace(due.workspaceId, async (tx) => {
    const scheduled = await findScheduledMessage(tx, due.scheduledMessageId);
    if (scheduled?.state !== 'pending') return;
    const chat = await findChat(tx, scheduled.chatId);
    if (chat !== undefined) await pokeScheduledMessageRun(tx, chat, scheduled);
  });
}
