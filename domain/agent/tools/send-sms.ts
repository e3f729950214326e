import { insertMessage } from '../../../db/conversations/messages.js';
import { queueSms } from '../../channels/deliveries/queue-delivery.js';
import type { Tool } from './tool.js';

/**
 * Sends the member an SMS in addition to the reply, from the chat's number or from the default number of its workflow.
 */
export const sendSms: Tool = async ({ tx, now, chat, machine, task, performer }, input) => {
  const message = await insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    content: String(input.text),
    memberId: performer.memberId,
    taskId: machine === undefined ? null : task.id,
  });
  const undeliverable = await queueSms(tx, chat, message, now);
  return undeliverable === undefined ? { ok: true } : { ok: false, error: undeliverable };
};
