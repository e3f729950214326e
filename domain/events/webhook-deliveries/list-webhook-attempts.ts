import { findEventRule } from '../../../db/events/event-rules.js';
import {
  listWebhookAttempts as findAttempts,
  type WebhookAttemptDetails,
} from '../../../db/events/webhook-attempt-lists.js';
import { findWebhookDelivery } from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

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
