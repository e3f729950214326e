import { findPhoneCall, selectUnsettledCalls } from '../../db/calls/phone-calls.js';
import { findChat } from '../../db/conversations/chats.js';
import { rowsOfRun } from '../kernel/reconcile-rows.js';
import { pokeCallRun } from '../kernel/runs.js';

/** Calls whose run has something left to do. */
export const unsettledCalls = rowsOfRun({
  name: 'calls',
  runType: 'runVoiceCall',
  select: (tx, { after, limit }) => selectUnsettledCalls(tx, after, limit),
  isWanting: ({ chatId }) => chatId !== null,
  async restart(tx, { id }) {
    const call = await findPhoneCall(tx, id);
    if (call === undefined || call.chatId === null || call.settledAt !== null) return;
    const chat = await findChat(tx, call.chatId);
    if (chat !== undefined) await pokeCallRun(tx, chat, call);
  },
});
