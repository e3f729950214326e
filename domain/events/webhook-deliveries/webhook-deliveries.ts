import { findEventRule } from '../../../db/events/event-rules.js';
import { findWebhookBody, findWebhookDelivery, listWebhookAttempts as findAttempts, listWebhookDeliveries as findDeliveries, type WebhookAttemptDetails, type WebhookDeliveryDetails, type WebhookDeliveryFilter, type WebhookDeliverySort } from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { mostCounted } from '../../../db/records/list-data-records.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

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

/** A page of deliveries; `total` is exact up to 10,000. */
export type WebhookDeliveryPage = PageOf<WebhookDeliveryDetails> & { totalIsExact: boolean };

/**
 * Lists the deliveries of a rule.
 *
 * @param page must end within the first 10,000 deliveries; sorted by `completedAt`, pending deliveries count as the
 * latest
 * @throws NotFound, InvalidInput
 */
export async function listWebhookDeliveries(
  { db, actor }: CommandContext,
  eventRuleId: number,
  filter: WebhookDeliveryFilter,
  page: PageRequest<WebhookDeliverySort>,
): Promise<WebhookDeliveryPage> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findEventRule(tx, eventRuleId)) === undefined) throw new NotFound('Event rule');
    if (page.page * page.pageSize > mostCounted) throw tooFar();
    return findDeliveries(tx, eventRuleId, filter, page);
  });
}

function tooFar(): InvalidInput {
  const message = `Pages end at ${mostCounted} deliveries: ask for a part, by createdFrom and createdBefore.`;
  return InvalidInput.field('/page', message);
}

/**
 * Lists the attempts of a delivery with the receiver's answers.
 *
 * @throws NotFound
 */
export async function listWebhookAttempts(
  { db, actor }: CommandContext,
  eventRuleId: number,
  deliveryId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<WebhookAttemptDetails>> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [rule, delivery, attempts] = await Promise.all([
      findEventRule(tx, eventRuleId),
      findWebhookDelivery(tx, eventRuleId, deliveryId),
      findAttempts(tx, deliveryId, page),
    ]);
    if (rule === undefined) throw new NotFound('Event rule');
    if (delivery === undefined) throw new NotFound('Delivery');
    return attempts;
  });
}
