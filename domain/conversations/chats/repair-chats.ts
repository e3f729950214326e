import {
  type ChatRow,
  findChat,
  selectChatsToFollowUp,
  selectChatsWithLateReceipts,
  selectUnansweredChats,
  selectUnsentChats,
} from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import { type RowsOfRun, rowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokeChatRun, pokeDeliveries } from '../../kernel/runs.js';

type Select = (
  tx: Tx,
  afterId: number,
  limit: number,
  now: Date,
) => Promise<(Pick<ChatRow, 'id' | 'uuid'> & { isAnswered?: boolean | null })[]>;

/** Chats that wait for an answer, or for messages to be delivered. A poke is harmless if the run exists. */
export const waitingChats = {
  answers: chats('answers', 'answerChat', selectUnansweredChats),
  follow_ups: chats('follow_ups', 'answerChat', selectChatsToFollowUp),
  deliveries: chats('deliveries', 'deliverMessages', selectUnsentChats),
  receipts: chats('receipts', 'deliverMessages', selectChatsWithLateReceipts),
};

function chats(name: string, runType: 'answerChat' | 'deliverMessages', select: Select): RowsOfRun {
  const poke = runType === 'answerChat' ? pokeChatRun : pokeDeliveries;
  return rowsOfRun({
    name,
    runType,
    // What has become of a sent message is asked in a held workspace too.
    restsInHold: name !== 'receipts',
    select: (tx, { after, limit, now }) => select(tx, after, limit, now),
    isWanting: ({ isAnswered = true }) => isAnswered === true,
    async restart(tx, { id }) {
      const chat = await findChat(tx, id);
      if (chat !== undefined) await poke(tx, chat, { woken: true });
    },
  });
}
