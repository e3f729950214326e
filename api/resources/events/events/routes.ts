import type { EventDetails, EventFilter } from '../../../../db/events/event-lists.js';
import type { EventWithDeliveries } from '../../../../domain/events/events/stored-events.js';
import { getEvent, listEvents } from '../../../../domain/events/events/stored-events.js';
import type { EventType } from '../../../../domain/kernel/events/event-types.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { presentWebhookDelivery } from '../webhook-deliveries/presenter.js';
import { timeOf } from '../webhook-deliveries/schemas.js';
import {
  EventParams,
  ListEventsQuery,
  StoredEventPage,
  StoredEventWithDeliveriesResponse,
} from './schemas.js';

const readers = workspaceMember({ scope: 'event_rules:read', permission: 'event_rules:read' });

const list = defineRoute({
  operationId: 'listEvents',
  method: 'GET',
  path: '/w/{workspace_uuid}/events',
  tag: 'Events',
  summary: 'List stored events',
  description:
    'Newest first by default. The service stores an event if the workspace has an event rule of its type, enabled or disabled. Events are kept for 30 days, or longer while one of their deliveries is kept; deleting a data record deletes its events. Samples, sent by tests of event rules, have `isTest`. Pages end at the 10,000th event: narrow the list by createdFrom and createdBefore.',
  access: readers,
  query: ListEventsQuery,
  response: { status: 200, schema: StoredEventPage },
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder } = query;
    const found = await listEvents(context, eventFilter(query), { page, pageSize, sortBy, sortOrder });
    return presentPage(query, found, presentEvent);
  },
});

const get = defineRoute({
  operationId: 'getEvent',
  method: 'GET',
  path: '/w/{workspace_uuid}/events/{event_id}',
  tag: 'Events',
  summary: 'Get a stored event',
  description: 'Includes its deliveries by all event rules.',
  access: readers,
  params: EventParams,
  response: { status: 200, schema: StoredEventWithDeliveriesResponse },
  handler: async ({ context, params }) =>
    presentEventWithDeliveries(await getEvent(context, params.event_id)),
});

function presentEvent(row: EventDetails) {
  const payload = JSON.parse(row.body) as Record<string, unknown>;
  return { ...row, id: row.uuid, eventType: row.eventType as EventType, payload };
}

function presentEventWithDeliveries(event: EventWithDeliveries) {
  const deliveriesAreCut = event.deliveriesAreCut || undefined;
  return {
    ...presentEvent(event),
    deliveries: event.deliveries.map(presentWebhookDelivery),
    deliveriesAreCut,
  };
}

export const eventRoutes = [list, get];

function eventFilter(query: ListEventsQuery): EventFilter {
  const { page, pageSize, sortBy, sortOrder, createdFrom, createdBefore, ...filter } = query;
  return { ...filter, createdFrom: timeOf(createdFrom), createdBefore: timeOf(createdBefore) };
}
