import type { OptOutChannel } from '../../../db/channels/opt-out-proofs.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { queueDelivery } from '../deliveries/queue-delivery.js';

const optedOutOf: Record<OptOutChannel, string> = {
  sms: 'You are unsubscribed and will get no more messages from us. Reply START to subscribe again.',
  email: 'You are unsubscribed from our emails.',
  calls: 'We will not call you any more.',
};

/** What the service tells a member who has opted out. */
export function optOutReply(channels: readonly OptOutChannel[]): string {
  return channels.map((channel) => optedOutOf[channel]).join(' ');
}

/** Tells a member who has opted out, in reply to its email. */
export async function confirmByEmail(
  tx: Tx,
  chat: ChatRow,
  channels: readonly OptOutChannel[],
  now: Date,
): Promise<void> {
  const written = { chatId: chat.id, role: 'assistant', author: 'system' } as const;
  const message = await insertMessage(tx, { ...written, content: optOutReply(channels) });
  await queueDelivery(tx, chat, message, now);
}

/** Tells a member who has opted out, in its chat by SMS, with the one message that may still be sent. */
export async function confirmBySms(
  tx: Tx,
  chat: ChatRow,
  channels: readonly OptOutChannel[],
  now: Date,
): Promise<void> {
  const written = { chatId: chat.id, role: 'assistant', author: 'system', smsKeyword: 'stop' } as const;
  const message = await insertMessage(tx, { ...written, content: optOutReply(channels) });
  await queueDelivery(tx, chat, message, now, { confirmsOptOut: true });
}
