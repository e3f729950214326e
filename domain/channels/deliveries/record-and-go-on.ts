import { lockDeliveryBesideClaimed } from '../../../db/channels/deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { DeliveryRef } from './delivery-ref.js';
import { type Following, nextDeliveryIn } from './next-delivery.js';
import { recordIn } from './record-delivery-news.js';
import type { DeliveryNews } from './settle-delivery.js';

/** `recordDeliveryNews`, and `nextDelivery` of the chat, in one transaction. */
export async function recordAndGoOn(
  context: ServiceContext,
  { workspaceId, ...ref }: DeliveryRef & { chatId: number },
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
): Promise<Following> {
  const now = context.clock.now();
  return context.db.inWorkspace(workspaceId, async (tx) => {
    // What is next may write to the claimed ones; news of those lock their row, and then the message of both.
    await recordIn(tx, await lockDeliveryBesideClaimed(tx, ref), attempt, news, now);
    return nextDeliveryIn(tx, { chatId: ref.chatId, lastDeliveryId: ref.deliveryId }, now);
  });
}
