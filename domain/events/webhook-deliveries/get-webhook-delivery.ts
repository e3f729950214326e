import { findEventRule } from '../../../db/events/event-rules.js';
import {
  findWebhookBody,
  findWebhookDelivery,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** A delivery with what it brings. */
export interface WebhookDeliveryWithPayload extends WebhookDeliveryDetails {
  payload: Record<string, unknown>;
}

/**
 * One delivery of a rule, with the body that its receiver is sent.
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
