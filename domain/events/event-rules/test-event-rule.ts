import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import {
  findWebhookDelivery,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import type { EventType } from '../../kernel/events/event-types.js';
import { writeSampleEvent } from '../../kernel/events/write-events.js';
import { requireLockedEventRule } from './event-rule-details.js';

/** Sends a sample event to the receiver of a rule, also of a disabled one. @throws NotFound */
export async function testEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<WebhookDeliveryDetails> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const rule = await requireLockedEventRule(tx, id);
    const eventId = await writeSampleEvent(tx, rule.eventType as EventType, now);
    const [started] = await startWebhookDeliveries(tx, {
      eventRuleId: id,
      eventIds: [eventId],
      trigger: 'test',
      requestedByMemberId: actor.memberId,
      now,
    });
    const delivery = started && (await findWebhookDelivery(tx, id, started.id));
    if (delivery === undefined) throw new Error('a sample has no delivery');
    return delivery;
  });
}
