import {
  type EventDetails,
  type EventFilter,
  findEvent,
  selectEvents,
} from '../../../db/events/event-lists.js';
import {
  selectDeliveriesOfEvent,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import { maxCounted } from '../../../db/records/list-data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Older deliveries are in the lists of their rules. */
const maxDeliveriesShown = 100;

export interface EventWithDeliveries extends EventDetails {
  /** The deliveries of all rules, newest first. */
  deliveries: WebhookDeliveryDetails[];
  /** Whether more deliveries exist than shown. */
  deliveriesAreCut: boolean;
}

/** @throws NotFound */
export async function getEvent({ db, actor }: CommandContext, uuid: string): Promise<EventWithDeliveries> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [event, deliveries] = await Promise.all([
      findEvent(tx, uuid),
      selectDeliveriesOfEvent(tx, uuid, maxDeliveriesShown + 1),
    ]);
    if (event === undefined) throw new NotFound('Event');
    const deliveriesAreCut = deliveries.length > maxDeliveriesShown;
    return { ...event, deliveries: deliveries.slice(0, maxDeliveriesShown), deliveriesAreCut };
  });
}

/** Lists stored events, samples included. `total` is exact up to 10,000, where pages end. @throws InvalidInput */
export async function listEvents(
  { db, actor }: CommandContext,
  filter: EventFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<EventDetails> & { totalIsExact: boolean }> {
  actor.require('event_rules:read');
  if (page.page * page.pageSize > maxCounted) {
    const message = `Pages end at ${maxCounted} events: ask for a part, by createdFrom and createdBefore.`;
    throw InvalidInput.field('/page', message);
  }
  return db.readInWorkspace(actor.workspaceId, (tx) => selectEvents(tx, filter, page));
}
