import { type DeliveryRow, selectDeliveriesOfMessage } from '../../../db/channels/deliveries.js';
import { lockChat } from '../../../db/conversations/chats.js';
import { patchShownDelivery } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';

/**
 * Shows in a message what became of it: `failed` once it cannot reach one of its recipients, `delivered` once it has
 * reached all of them.
 */
export async function showDelivery(
  tx: Tx,
  { chatId, messageId }: Pick<DeliveryRow, 'chatId' | 'messageId'>,
  now: Date,
): Promise<void> {
  let all = await selectDeliveriesOfMessage(tx, messageId);
  if (all.length > 1) {
    // Two recipients may settle at once, and the later one has to see the earlier.
    await lockChat(tx, chatId);
    all = await selectDeliveriesOfMessage(tx, messageId);
  }
  const failed = all.find(({ state }) => state === 'failed');
  const isDelivered = all.every(({ state }) => state === 'delivered');
  const shown = {
    smsDeliveryStatus: failed === undefined ? (isDelivered ? 'delivered' : 'sent') : 'failed',
    smsDeliveryErrorCode: failed?.errorCode ?? null,
    smsDeliveryFailureReason: failed?.failureReason ?? null,
  } as const;
  await patchShownDelivery(tx, messageId, shown, now);
}
