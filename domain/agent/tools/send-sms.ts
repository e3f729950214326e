import { queueSms } from '../../channels/deliveries/queue-delivery.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { isUnproved, unproved } from './unproved-address.js';
import { writeMessage } from './write-message.js';

/** Sends an SMS in addition to the reply, from the chat's number or from the default number of its workflow. */
export const sendSms: Tool = {
  colleague: 'chats:write',

  offer: (situation) =>
    configOf(situation, 'send_sms') && {
      description: 'Send the member an SMS, beside the reply in this chat.',
      parameters: closed({
        text: { type: 'string', minLength: 1, maxLength: 1_600, description: 'Plain text, short.' },
      }),
    },

  async perform(situation, input) {
    const { tx, now, chat } = situation;
    if (await isUnproved(tx, chat, 'phone')) return unproved;
    const message = await writeMessage(situation, String(input.text));
    const undeliverable = await queueSms(tx, chat, message, now);
    return undeliverable === undefined ? { ok: true } : { ok: false, error: undeliverable };
  },
};
