import { findChat } from '../../../db/conversations/chats.js';
import { findScheduledMessage, selectDueMessages } from '../../../db/conversations/scheduled-messages.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokeScheduledMessageRun } from '../../kernel/runs.js';

/** Longer than two walks of the reconciler take. Before that, a message does without its run. */
const aheadMs = 15 * 60_000;

/** Scheduled messages that are due, or soon will be. */
export const dueMessages = rowsOfRun({
  name: 'scheduled_messages',
  runType: 'sendScheduledMessage',
  select: (tx, { now, ...next }) => selectDueMessages(tx, { by: new Date(now.getTime() + aheadMs), ...next }),
  async restart(tx, { id }) {
    const scheduled = await findScheduledMessage(tx, id);
    if (scheduled?.state !== 'pending') return;
    const chat = await findChat(tx, scheduled.chatId);
    if (chat !== undefined) await pokeScheduledMessageRun(tx, chat, scheduled);
  },
});
