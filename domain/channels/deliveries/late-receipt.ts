import { lockDelivery, updateDelivery } from '../../../db/channels/deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { DeliveryRef } from './claim-delivery.js';
import { type DeliveryNews, settleDelivery } from './settle-delivery.js';

/** After which time since it was sent the carrier is asked for a receipt the second and last time. */
export const receiptPatienceMs = 48 * 3_600_000;

export interface LateReceipt {
  attempt: number;
  carrierMessageId: string | null;
}

/** A delivery whose receipt is late; undefined when it has come meanwhile. */
export async function findLateReceipt(
  context: ServiceContext,
  ref: DeliveryRef,
): Promise<LateReceipt | undefined> {
  const delivery = await context.db.inWorkspace(ref.workspaceId, (tx) => lockDelivery(tx, ref.deliveryId));
  if (delivery?.state !== 'sent') return undefined;
  return { attempt: delivery.attempts, carrierMessageId: delivery.carrierMessageId };
}

/**
 * Writes what the carrier said when it was asked for a receipt. Where it has none either, it is asked once more
 * when its own time is over; after that the message stays `sent`, which is all that is known of it.
 */
export async function recordLateReceipt(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
): Promise<void> {
  const now = context.clock.now();
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const delivery = await lockDelivery(tx, ref.deliveryId);
    if (delivery?.state !== 'sent' || delivery.attempts !== attempt) return;
    if (news.state !== 'sent') return await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
    const last = new Date((delivery.sentAt?.getTime() ?? 0) + receiptPatienceMs);
    await updateDelivery(tx, delivery.id, { receiptDueAt: last > now ? last : null });
  });
}
