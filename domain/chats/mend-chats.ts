import type { Tx } from '../../db/database.js';
import {
  type ChatRow,
  findChat,
  listChatsWithLateReceipts,
  listUnansweredChats,
  listUnsentChats,
} from '../../db/queries/chats.js';
import type { ServiceContext } from '../context.js';
import { pokeChatRun, pokeDeliveries } from '../runs.js';

type List = (tx: Tx, afterId: number, limit: number) => Promise<ChatRow[]>;

/** A chat that should have a run. */
export interface WaitingChat {
  workspaceId: number;
  chatId: number;
  chatUuid: string;
  waitsFor: 'answerChat' | 'deliverMessages';
  /** Nothing was taken away: the time has come to ask for a receipt. */
  late: boolean;
}

const batchSize = 200;

/**
 * Chats without an active assignment that owe a turn or have a follow-up, chats with something to send, and chats
 * with a receipt that is late.
 */
export async function* listWaitingChats(
  context: ServiceContext,
  workspaceId: number,
): AsyncGenerator<WaitingChat> {
  const now = context.clock.now();
  const lists: [List, Pick<WaitingChat, 'waitsFor' | 'late'>][] = [
    [
      (tx, afterId, limit) => listUnansweredChats(tx, afterId, limit, now),
      { waitsFor: 'answerChat', late: false },
    ],
    [listUnsentChats, { waitsFor: 'deliverMessages', late: false }],
    [
      (tx, afterId, limit) => listChatsWithLateReceipts(tx, afterId, limit, now),
      { waitsFor: 'deliverMessages', late: true },
    ],
  ];
  for (const [list, what] of lists) {
    for (let afterId = 0; ; ) {
      const chats = await context.db.inWorkspace(workspaceId, (tx) => list(tx, afterId, batchSize));
      for (const { id, uuid } of chats) yield { workspaceId, chatId: id, chatUuid: uuid, ...what };
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
