import {
  countFailureCauses,
  type FailureCause,
  findWebhookBody,
  findWebhookDelivery,
  selectWebhookAttempts,
  selectWebhookDeliveries,
  type WebhookAttemptDetails,
  type WebhookDeliveryDetails,
  type WebhookDeliveryFilter,
  type WebhookDeliverySort,
} from '../../../db/events/webhook-delivery-lists.js';
import { maxCounted } from '../../../db/records/list-data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireEventRule } from '../event-rules/event-rule-details.js';

/** A delivery with the body that its receiver gets. */
export interface WebhookDeliveryWithPayload extends WebhookDeliveryDetails {
  payload: Record<string, unknown>;
}

/** @throws NotFound */
export async function getWebhookDelivery(
  { db, actor }: CommandContext,
  eventRuleId: number,
  id: number,
): Promise<WebhookDeliveryWithPayload> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [delivery, body] = await Promise.all([
      findWebhookDelivery(tx, eventRuleId, id),
      findWebhookBody(tx, id),
      requireEventRule(tx, eventRuleId),
    ]);
    if (delivery === undefined || body === undefined) throw new NotFound('Delivery');
    return { ...delivery, payload: JSON.parse(body) as Record<string, unknown> };
  });
}

/**
 * @param page must end within the first 10,000 deliveries; by `completedAt`, pending deliveries are the latest
 * @returns `total` is exact up to 10,000
 * @throws NotFound, InvalidInput
 */
export async function listWebhookDeliveries(
  { db, actor }: CommandContext,
  eventRuleId: number,
  filter: WebhookDeliveryFilter,
  page: PageRequest<WebhookDeliverySort>,
): Promise<PageOf<WebhookDeliveryDetails> & { totalIsExact: boolean }> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requireEventRule(tx, eventRuleId);
    if (page.page * page.pageSize > maxCounted) {
      const message = `Pages end at ${maxCounted} deliveries: ask for a part, by createdFrom and createdBefore.`;
      throw InvalidInput.field('/page', message);
    }
    return selectWebhookDeliveries(tx, eventRuleId, filter, page);
  });
}

/** @throws NotFound */
export async function listWebhookAttempts(
  { db, actor }: CommandContext,
  eventRuleId: number,
  deliveryId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<WebhookAttemptDetails>> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [delivery, attempts] = await Promise.all([
      findWebhookDelivery(tx, eventRuleId, deliveryId),
      selectWebhookAttempts(tx, deliveryId, page),
      requireEventRule(tx, eventRuleId),
    ]);
    if (delivery === undefined) throw new NotFound('Delivery');
    return attempts;
  });
}

export interface FailureCauses {
  total: number;
  /** False: there are more, of which the newest are counted. */
  totalIsExact: boolean;
  causes: FailureCause[];
}

/** @throws NotFound, Forbidden */
export async function countWebhookFailures(
  { db, actor }: CommandContext,
  eventRuleId: number,
): Promise<FailureCauses> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requireEventRule(tx, eventRuleId);
    const causes = await countFailureCauses(tx, eventRuleId, maxCounted);
    const total = causes.reduce((sum, { count }) => sum + count, 0);
    return { total, totalIsExact: total < maxCounted, causes };
  });
}
