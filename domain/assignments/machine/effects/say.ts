import { patchAssignmentTask } from '../../../../db/assignments/assignment-tasks.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { alertColleague } from '../../../kernel/alert-colleague.js';
import { changeChat, rowOf } from '../machine.js';
import type { Perform } from './effect.js';

/** During a call, a message is stored alone, and the bridge speaks it (docs/decisions/0144-a-call-holds-the-floor.md). */
export const say: Perform<'say'> = async (machine, { parts, callId }, { task }) => {
  const { tx, chat, now, outreach } = machine;
  for (const content of parts) {
    const written = { chatId: chat.id, role: 'assistant', author: 'workflow', taskId: task.id } as const;
    const message = await insertMessage(tx, { ...written, content, callId: callId ?? null });
    await changeChat(machine, async (_tx, told) => ({ ...told, messageCount: told.messageCount + 1 }));
    // Messages are sent in order, so the last one represents all of them.
    const row = await patchAssignmentTask(tx, rowOf(machine, task).id, { messageId: message.id });
    machine.rows.set(task.id, row);
    if (callId !== undefined) continue;
    if ((await outreach.deliver(tx, chat, message, now)) !== undefined) {
      await changeChat(machine, (_tx, told) => alertColleague(tx, told, 'delivery_failed'));
    }
  }
};
