import type { DeliveryFact, Invariants, MailedFact } from '../evidence.js';
import { groupBy } from '../group-by.js';
import { wasAccepted } from '../ledger.js';
import { describe } from './effects.js';

/** What is wrong with a delivery; `taken`: the mail server's copy of its email. */
function disagreement(delivery: DeliveryFact, taken: MailedFact | undefined): string | undefined {
  const { state, failureReason, errorCode } = delivery;
  const isReported = taken?.reports.includes(202) === true;
  switch (state) {
    case 'queued':
      return 'nothing goes on any more';
    case 'claimed':
      // The attempt is given up ten minutes after its claim.
      if (delivery.lookUps === 0) return 'nothing goes on any more';
      return isReported ? 'the mail server reported it' : undefined;
    case 'sent':
    case 'delivered':
      if (taken === undefined) return 'the mail server has nothing of it';
      return isReported ? 'the mail server reported it' : undefined;
    case 'failed':
      if (isReported) return errorCode === '5.7.1' ? undefined : 'the mail server reported something else';
      if (taken === undefined) return undefined;
      return failureReason === 'unknown_outcome' && !taken.answered ? undefined : 'the mail server took it';
  }
}

export const emailInvariants: Invariants = {
  /** The mail server took no email twice, also not one whose outcome was unknown. */
  'emailed-at-most-once'({ mailed }) {
    return [...groupBy(mailed, ({ rfcMessageId }) => rfcMessageId)]
      .filter(([, copies]) => copies.length > 1)
      .map(([id, copies]) => `the mail server took ${id} as ${copies.map(({ sequence }) => sequence)}`);
  },
  /** Whatever the mail server took is an email of ours, to its one recipient. */
  'emailed-for-a-delivery'({ mailed, emails }) {
    return mailed.flatMap(({ sequence, rfcMessageId, to }) => {
      const email = emails.find((one) => one.direction === 'out' && one.rfcMessageId === rfcMessageId);
      if (email !== undefined && to.length === 1 && to[0] === email.toAddress) return [];
      return [
        `the mail server has ${sequence} for ${to}: ${email ? 'another recipient' : 'no email of ours'}`,
      ];
    });
  },
  /** A delivery is settled and says what the mail server says, or its outcome is recorded as unknown. */
  'email-agrees-with-mail-server'({ mailed, emails, deliveries, messages }) {
    return deliveries.flatMap((delivery) => {
      if (delivery.channel !== 'email') return [];
      const email = emails.find(({ deliveryId }) => deliveryId === delivery.id);
      if (email === undefined) return [`delivery ${delivery.id} has no email`];
      const taken = mailed.find(({ rfcMessageId }) => rfcMessageId === email.rfcMessageId);
      const problem = disagreement(delivery, taken);
      const { id, state } = delivery;
      if (problem !== undefined) return [`delivery ${id} is ${state}, but ${problem}`];
      const shown = messages.find((message) => message.id === delivery.messageId)?.smsDeliveryStatus;
      if (shown === state || state === 'claimed') return [];
      return [`delivery ${id} is ${state}, but its message shows ${shown}`];
    });
  },
  /** What is said in a chat by email is on its way, or says why not. */
  'said-by-email-is-sent'({ chats, messages, deliveries }) {
    const byEmail = new Set(chats.flatMap(({ id, channel }) => (channel === 'email' ? [id] : [])));
    const queued = new Set(deliveries.map(({ messageId }) => messageId));
    return messages
      .filter(
        ({ id, chatId, role, text, smsDeliveryStatus }) =>
          byEmail.has(chatId) &&
          role === 'assistant' &&
          text !== null &&
          !queued.has(id) &&
          smsDeliveryStatus !== 'failed',
      )
      .map(({ id, chatId }) => `message ${id} of chat ${chatId} was never queued`);
  },
  /** A colleague is alerted to every email that failed. */
  'failed-emails-alert-a-colleague'({ deliveries, chats, messages }) {
    const lastOf = new Map(messages.map(({ chatId, id }) => [chatId, id]));
    return deliveries.flatMap(({ id, channel, state, chatId, messageId }) => {
      const chat = chats.find((one) => one.id === chatId);
      // What is said later in the chat answers the call.
      const isLast = lastOf.get(chatId) === messageId;
      if (channel !== 'email' || state !== 'failed' || !isLast || chat?.needsResponse === true) return [];
      return [`delivery ${id} of chat ${chatId} failed, and nobody is told`];
    });
  },
  /** A mail of a member is a message once, however often it came, and a reply is in the chat that it answers. */
  'mail-is-in-its-chat'({ ledger, messages, chats }) {
    return ledger.flatMap((entry) => {
      const { operation, chatId, memberId, replied } = entry;
      if (operation.kind !== 'email') return [];
      const marker = `s${operation.index}`;
      const found = messages.filter(
        ({ role, text }) => role === 'user' && text?.split(/\s+/).includes(marker) === true,
      );
      const [message] = found;
      if (!wasAccepted(entry)) return [`${describe(entry)} was not taken`];
      if (message === undefined || found.length > 1)
        return [`${describe(entry)} is in ${found.length} messages`];
      const chat = chats.find(({ id }) => id === message.chatId);
      const isRight = replied === true ? message.chatId === chatId : chat?.memberId === memberId;
      return isRight ? [] : [`${describe(entry)} is in chat ${message.chatId}`];
    });
  },
  /** Mail of members and reports end in a chat or at their message. */
  'received-mail-is-settled': ({ received }) =>
    received
      .filter(({ state }) => state !== 'chat' && state !== 'report')
      .map(({ id, state, reason }) => `received mail ${id} is ${state} (${reason ?? 'no reason'})`),
};
