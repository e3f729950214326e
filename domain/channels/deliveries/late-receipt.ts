import { lockDelivery, updateDelivery } from '../../../db/channels/deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { DeliveryRef } from './claim-delivery.js';
import { whileIn } from './record-delivery-news.js';
import { type DeliveryNews, settleDelivery } from './settle-delivery.js';

/** Delay after sending at which the service asks the carrier for a receipt the second and last time. */
export const receiptPatienceMs = 48 * 3_600_000;

export async function findLateReceipt(
  context: ServiceContext,
  ref: DeliveryRef,
): Promise<{ attempt: number; carrierMessageId: string | null } | undefined> {
  const delivery = await context.db.inWorkspace(ref.workspaceId, (tx) => lockDelivery(tx, ref.deliveryId));
  if (delivery?.state !== 'sent') return undefined;
  return { attempt: delivery.attempts, carrierMessageId: delivery.carrierMessageId };
}

/** Without a receipt at the carrier either, it is asked once more at `receiptPatienceMs`; then `sent` stays. */
export async function recordLateReceipt(
  context: ServiceContext,
  ref: DeliveryRef,
  attempt: number,
  news: Omit<DeliveryNews, 'learntBy'>,
): Promise<void> {
  await whileIn('sent', context, ref, attempt, async (tx, delivery, now) => {
    if (news.state !== 'sent') return await settleDelivery(tx, delivery, { ...news, learntBy: 'run' }, now);
    const last = new Date((delivery.sentAt?.getTime() ?? 0) + receiptPatienceMs);
    await updateDelivery(tx, delivery.id, { receiptDueAt: last > now ? last : null });
  });
}
