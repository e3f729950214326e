import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import {
  findWebhookDelivery,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import { holdDeliveryToRepeat, isBeingDelivered } from '../../../db/events/webhook-redeliveries.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { requireEventRule } from '../event-rules/event-rule-details.js';
import { redeliverAlone, requireEnabled } from './redeliver-failed-events.js';

/**
 * Redelivers the event of a delivery, whatever its result, as a new delivery, one at a time for each event and rule.
 * Redelivering a test is a test again, and also works for a disabled rule.
 * @throws NotFound, Conflict
 */
export async function redeliverEvent(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  deliveryId: number,
): Promise<WebhookDeliveryDetails> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await redeliverAlone(tx, eventRuleId);
    const [delivery, rule] = await Promise.all([
      holdDeliveryToRepeat(tx, eventRuleId, deliveryId),
      requireEventRule(tx, eventRuleId),
    ]);
    if (delivery === undefined) throw new NotFound('Delivery');
    const { eventId } = delivery;
    const trigger = delivery.trigger === 'test' ? 'test' : 'redelivery';
    if (trigger !== 'test') requireEnabled(rule);
    if (await isBeingDelivered(tx, eventRuleId, eventId)) {
      throw new Conflict('delivery_pending', 'This rule is already delivering this event.');
    }
    const [started] = await startWebhookDeliveries(tx, {
      eventRuleId,
      eventIds: [eventId],
      trigger,
      requestedByMemberId: actor.memberId,
      now: clock.now(),
    });
    const made = started && (await findWebhookDelivery(tx, eventRuleId, started.id));
    // The event's data record is being deleted, and the event together with it.
    if (made === undefined) throw new NotFound('Delivery');
    return made;
  });
}
