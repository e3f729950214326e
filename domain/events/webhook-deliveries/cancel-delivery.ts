import { findLease } from '../../../db/events/webhook-claims.js';
import { lockWebhookDelivery, settleWebhookDelivery } from '../../../db/events/webhook-deliveries.js';
import {
  findWebhookDelivery,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext, ServiceContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { requireEventRule } from '../event-rules/event-rule-details.js';
import type { WebhookRef, WebhookStatus } from './claim-attempt.js';

/** Cancels a delivery when its run is cancelled, unless an attempt is under way: then `at` is when to try again. */
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
    await settleWebhookDelivery(tx, deliveryId, {
      status: 'cancelled',
      failureReason: 'run_cancelled',
      at: now,
    });
    return { kind: 'settled', status: 'cancelled' };
  });
}

/**
 * Cancels a pending delivery of a rule at the request of a member; its run ends at the next attempt.
 * @throws NotFound, Conflict `delivery_completed` or `attempt_under_way`
 */
export async function cancelPendingDelivery(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  id: number,
): Promise<WebhookDeliveryDetails> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireEventRule(tx, eventRuleId);
    const delivery = await lockWebhookDelivery(tx, id);
    if (delivery?.eventRuleId !== eventRuleId) throw new NotFound('Delivery');
    if (delivery.status !== 'pending') {
      throw new Conflict('delivery_completed', `The delivery is ${delivery.status}.`);
    }
    const now = clock.now();
    if ((await findLease(tx, id, now)) !== undefined) {
      const detail = 'An attempt is in progress. Cancel the delivery after it has ended.';
      throw new Conflict('attempt_under_way', detail);
    }
    await settleWebhookDelivery(tx, id, {
      status: 'cancelled',
      failureReason: 'cancelled_by_member',
      at: now,
    });
    const cancelled = await findWebhookDelivery(tx, eventRuleId, id);
    if (cancelled === undefined) throw new NotFound('Delivery');
    return cancelled;
  });
}
