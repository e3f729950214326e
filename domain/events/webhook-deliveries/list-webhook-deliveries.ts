import { findEventRule } from '../../../db/events/event-rules.js';
import {
  listWebhookDeliveries as findDeliveries,
  type WebhookDeliveryDetails,
  type WebhookDeliveryFilter,
  type WebhookDeliverySort,
} from '../../../db/events/webhook-delivery-lists.js';
import { mostCounted } from '../../../db/records/list-data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

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
