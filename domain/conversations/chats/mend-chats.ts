import {
  type ChatRow,
  findChat,
  selectChatsToFollowUp,
  selectChatsWithLateReceipts,
  selectUnansweredChats,
  selectUnsentChats,
} from '../../../db/conversations/chats.js';
import { isWorkspaceHeld } from '../../../db/definitions/workspace-holds.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokeChatRun, pokeDeliveries } from '../../kernel/runs.js';
import type { WalkPage } from '../../lib/paging.js';

export interface WaitingChat {
  workspaceId: number;
  chatId: number;
  chatUuid: string;
  waitsFor: 'answerChat' | 'deliverMessages';
}

export type WaitingList = 'answers' | 'follow_ups' | 'deliveries' | 'receipts';

const batchSize = 200;

type Listed = Pick<ChatRow, 'id' | 'uuid'> & { isAnswered?: boolean | null };

const lists: Record<WaitingList, (tx: Tx, afterId: number, limit: number, now: Date) => Promise<Listed[]>> = {
  answers: selectUnansweredChats,
  follow_ups: selectChatsToFollowUp,
  deliveries: selectUnsentChats,
  receipts: selectChatsWithLateReceipts,
};

/** Returns the next page of a list's chats, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfWaitingChats(
  context: ServiceContext,
  workspaceId: number,
  list: WaitingList,
  afterId = 0,
): Promise<WalkPage<WaitingChat, number>> {
  const now = context.clock.now();
  const waitsFor = list === 'answers' || list === 'follow_ups' ? 'answerChat' : 'deliverMessages';
  return context.db.readInWorkspace(workspaceId, async (tx) => {
    // Their runs are begun again when the hold ends.
    if (list !== 'receipts' && (await isWorkspaceHeld(tx))) return { items: [], next: undefined };
    const chats = await lists[list](tx, afterId, batchSize, now);
    const wanting = chats.filter(({ isAnswered = true }) => isAnswered);
    const uuids = wanting.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, waitsFor, uuids);
    const items = wanting
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, chatId: id, chatUuid: uuid, waitsFor }) as const);
    return { items, next: chats.length < batchSize ? undefined : chats.at(-1)?.id };
  });
}

/** Pokes the missing run. Harmless if the run exists. */
export async function pokeWaitingChat(context: ServiceContext, waiting: WaitingChat): Promise<void> {
  await context.db.inWorkspace(waiting.workspaceId, async (tx) => {
    const chat = await findChat(tx, waiting.chatId);
    if (chat === undefined) return;
    if (waiting.waitsFor === 'deliverMessages') await pokeDeliveries(tx, chat, { woken: true });
    else await pokeChatRun(tx, chat, { woken: true });
  });
}
