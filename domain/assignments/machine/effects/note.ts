import { insertMessage } from '../../../../db/conversations/messages.js';
import type { Perform } from './effect.js';

export const note: Perform<'note'> = async ({ tx, chat }, { content }, { task }) => {
  const written = { role: 'system', author: 'workflow', content, taskId: task.id } as const;
  await insertMessage(tx, { chatId: chat.id, ...written });
};
