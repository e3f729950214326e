import { findEventRule } from '../../../db/events/event-rules.js';
import {
  findWebhookBody,
  findWebhookDelivery,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** A delivery with the body that its receiver gets. */
export interface WebhookDeliveryWithPayload extends WebhookDeliveryDetails {
  payload: Record<string, unknown>;
}

/**
 * Returns a delivery of a rule with the body that its receiver gets.
 *
 * @throws NotFound
 */
export async function getWebhookDelivery(
  { db, actor }: CommandContext,
  eventRuleId: number,
  id: number,
): Promise<WebhookDeliveryWithPayload> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [rule, delivery, body] = await Promise.all([
      findEventRule(tx, eventRuleId),
      findWebhookDelivery(tx, eventRuleId, id),
      findWebhookBody(tx, id),
    ]);
    if (rule === undefined) throw new NotFound('Event rule');
    if (delivery === undefined || body === undefined) throw new NotFound('Delivery');
    return { ...delivery, payload: JSON.parse(body) as Record<string, unknown> };
  });
}
