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

/** Deliveries with how many there are; beyond 10,000 that is not counted. */
export type WebhookDeliveryPage = PageOf<WebhookDeliveryDetails> & { totalIsExact: boolean };

/**
 * What became of the events that a rule was to deliver.
 *
 * @param page among the first 10,000 deliveries; what is pending completes after all others
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
