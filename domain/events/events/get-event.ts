import { type EventDetails, findEvent } from '../../../db/events/event-lists.js';
import {
  listDeliveriesOfEvent,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Older deliveries are in the lists of their rules. */
export const mostDeliveriesShown = 100;

export interface EventWithDeliveries extends EventDetails {
  /** The deliveries of all rules, newest first. */
  deliveries: WebhookDeliveryDetails[];
  /** Whether more deliveries exist than shown. */
  deliveriesAreCut: boolean;
}

/**
 * Returns an event of the workspace with its deliveries.
 *
 * @throws NotFound
 */
export async function getEvent({ db, actor }: CommandContext, uuid: string): Promise<EventWithDeliveries> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [event, deliveries] = await Promise.all([
      findEvent(tx, uuid),
      listDeliveriesOfEvent(tx, uuid, mostDeliveriesShown + 1),
    ]);
    if (event === undefined) throw new NotFound('Event');
    const deliveriesAreCut = deliveries.length > mostDeliveriesShown;
    return { ...event, deliveries: deliveries.slice(0, mostDeliveriesShown), deliveriesAreCut };
  });
}
