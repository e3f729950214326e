import { countEmailsOfChat } from '../../../db/channels/emails.js';
import { queueEmail, whyNotEmailed } from '../../channels/deliveries/queue-delivery.js';
import { inboxBeside } from '../../channels/email/inbox-of-chat.js';
import { isReached } from '../../kernel/agent-budgets.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { isUnproved, unproved } from './unproved-address.js';
import { writeMessage } from './write-message.js';

const dayMs = 24 * 3_600_000;

/**
 * Sends the member an email from the inbox that the ability names, or from the default one. Message, delivery and email are
 * stored in the transaction of the call, so that neither a crash nor a repeated call sends it twice
 * (docs/workflows.md).
 */
export const sendEmail: Tool = {
  colleague: 'chats:write',

  offer(situation) {
    if (configOf(situation, 'send_email') === undefined || !situation.mayEmail) return undefined;
    return {
      description:
        'Send the member an email, to the address that the organisation has, beside the reply in this chat: for what the member should keep, or has asked for by email. It goes to the member only.',
      parameters: closed({
        subject: {
          type: 'string',
          minLength: 1,
          maxLength: 150,
          description: 'What it is about, on one line.',
        },
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 10_000,
          description: 'The whole email, in markdown.',
        },
      }),
    };
  },

  async perform(situation, input) {
    const { tx, now, chat, budgets } = situation;
    const inbox = await inboxBeside(tx, chat, configOf(situation, 'send_email')?.inbox);
    if (inbox === undefined) return { ok: false, error: 'missing_inbox' };
    const from = { ...chat, inboxId: inbox.id };
    const since = new Date(now.getTime() - dayMs);
    const sent = await countEmailsOfChat(tx, chat.id, since, budgets.chatEmailsPerDay);
    if (isReached(sent, budgets.chatEmailsPerDay)) return { ok: false, error: 'too_many_emails' };
    if (await isUnproved(tx, chat, 'email')) return unproved;
    const refused = await whyNotEmailed(tx, from, now);
    if (refused !== undefined) return { ok: false, error: refused };
    const message = await writeMessage(situation, String(input.text));
    const undeliverable = await queueEmail(tx, from, message, String(input.subject), now);
    return undeliverable === undefined ? { ok: true } : { ok: false, error: undeliverable };
  },
};
