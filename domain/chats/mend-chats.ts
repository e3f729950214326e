import { findChat, listUnansweredChats, listUnsentChats } from '../../db/queries/chats.js';
import type { ServiceContext } from '../context.js';
import { pokeChatRun, pokeDeliveries } from '../runs.js';

/** A chat that should have a run. */
export interface WaitingChat {
  workspaceId: number;
  chatId: number;
  chatUuid: string;
  waitsFor: 'answerChat' | 'deliverMessages';
}

const batchSize = 200;

/** Chats without an active assignment that owe a turn or have a follow-up, and chats with something to send. */
export async function* listWaitingChats(
  context: ServiceContext,
  workspaceId: number,
): AsyncGenerator<WaitingChat> {
  for (const [list, waitsFor] of [
    [listUnansweredChats, 'answerChat'],
    [listUnsentChats, 'deliverMessages'],
  ] as const) {
    for (let afterId = 0; ; ) {
      const chats = await context.db.inWorkspace(workspaceId, (tx) => list(tx, afterId, batchSize));
      for (const { id, uuid } of chats) yield { workspaceId, chatId: id, chatUuid: uuid, waitsFor };
      const last = chats.at(-1);
      if (last === undefined || chats.length < batchSize) break;
      afterId = last.id;
    }
  }
}

/** Asks for the run that is missing. Poking one that is there all the same does no harm. */
export async function pokeWaitingChat(context: ServiceContext, waiting: WaitingChat): Promise<void> {
  await context.db.inWorkspace(waiting.workspaceId, async (tx) => {
    const chat = await findChat(tx, waiting.chatId);
    if (chat === undefined) return;
    if (waiting.waitsFor === 'deliverMessages') await pokeDeliveries(tx, chat);
    else await pokeChatRun(tx, chat);
  });
}
