import { findLease } from '../../../db/events/webhook-claims.js';
import { lockWebhookDelivery, settleDelivery } from '../../../db/events/webhook-deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { WebhookRef, WebhookStatus } from './claim-attempt.js';

/**
 * Cancels a delivery when its run is cancelled. An attempt in progress cannot be recalled: the caller has to wait for
 * its end, at most until its lease expires; if the receiver accepts the event, the delivery is `delivered`.
 *
 * @returns how the delivery ended, or until when to wait
 */
export async function cancelDelivery(
  { db, clock }: ServiceContext,
  { workspaceId, deliveryId }: WebhookRef,
): Promise<{ kind: 'settled'; status: WebhookStatus } | { kind: 'under_way'; at: Date }> {
  const now = clock.now();
  return db.inWorkspace(workspaceId, async (tx) => {
    const delivery = await lockWebhookDelivery(tx, deliveryId);
    if (delivery?.status !== 'pending') return { kind: 'settled', status: delivery?.status ?? 'cancelled' };
    const at = await findLease(tx, deliveryId, now);
    if (at !== undefined) return { kind: 'under_way', at };
    await settleDelivery(tx, deliveryId, {
      status: 'cancelled',
      failureReason: 'run_cancelled',
      lastStatusCode: null,
      at: now,
    });
    return { kind: 'settled', status: 'cancelled' };
  });
}
