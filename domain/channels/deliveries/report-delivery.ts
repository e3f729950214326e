import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { findChat } from '../../../db/conversations/chats.js';
import { findMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { messageFailedEvent, messageSentEvent } from '../../kernel/events/message-events.js';
import { writeEventsIfWanted } from '../../kernel/events/write-events.js';

/**
 * Tells receivers once that a provider has taken a message, and once that it failed for good; after an attempt whose outcome
 * was unknown, one that failed may turn out to be sent. `after` is the delivery with its news.
 */
export async function reportDelivery(
  tx: Tx,
  before: DeliveryRow,
  after: Pick<DeliveryRow, 'state' | 'failureReason' | 'errorCode'>,
  now: Date,
): Promise<void> {
  const isFailure = after.state === 'failed';
  const isTold = isFailure ? before.state === 'failed' : before.takenAt !== null || before.state === 'sent';
  if (isTold) return;
  const read = async () => {
    const [chat, message] = await Promise.all([
      findChat(tx, before.chatId),
      findMessage(tx, before.messageId),
    ]);
    if (chat === undefined || message === undefined) return [];
    const { failureReason, errorCode } = after;
    if (!isFailure) return [messageSentEvent(chat, message, before.channel)];
    return [
      messageFailedEvent(chat, message, before.channel, {
        failureReason: failureReason ?? 'failed',
        errorCode,
      }),
    ];
  };
  await writeEventsIfWanted(tx, [isFailure ? 'message:failed' : 'message:sent'], read, now);
}
