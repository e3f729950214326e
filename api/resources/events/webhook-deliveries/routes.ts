import type { WebhookDeliveryFilter } from '../../../../db/events/webhook-delivery-lists.js';
import {
  attemptDeliveryNow,
  attemptPendingNow,
} from '../../../../domain/events/webhook-deliveries/attempt-now.js';
import { cancelPendingDelivery } from '../../../../domain/events/webhook-deliveries/cancel-delivery.js';
import { redeliverEvent } from '../../../../domain/events/webhook-deliveries/redeliver-event.js';
import {
  countWebhookFailures,
  getWebhookDelivery,
  listWebhookDeliveries,
} from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { presentWebhookDelivery } from './presenter.js';
import {
  AttemptedResponse,
  ListWebhookDeliveriesQuery,
  timeOf,
  WebhookDeliveryPage,
  WebhookDeliveryResponse,
  WebhookDeliveryWithPayloadResponse,
  WebhookFailuresResponse,
} from './schemas.js';

const deliveries = resource({
  tag: 'Event deliveries',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries',
  read: workspaceMember({ scope: 'event_rules:read', permission: 'event_rules:read' }),
  write: workspaceMember({ scope: 'event_rules:write', permission: 'event_rules:write' }),
});

const list = deliveries.list({
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of an event rule',
  description:
    'Newest first by default. When sorted by completedAt, pending deliveries count as the latest. Pages end at the 10,000th delivery: narrow the list by createdFrom and createdBefore. Deliveries are kept for 30 days.',
  query: ListWebhookDeliveriesQuery,
  response: WebhookDeliveryPage,
  handler: async ({ context, params, query }) => {
    const { page, pageSize, sortBy, sortOrder } = query;
    const order = { page, pageSize, sortBy, sortOrder };
    const found = await listWebhookDeliveries(context, params.event_rule_id, deliveryFilter(query), order);
    return presentPage(query, found, presentWebhookDelivery);
  },
});

const get = deliveries.get('/{delivery_id}', {
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery of an event rule',
  description: 'Includes the payload.',
  response: WebhookDeliveryWithPayloadResponse,
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await getWebhookDelivery(context, params.event_rule_id, params.delivery_id)),
});

const redeliver = deliveries.create('/{delivery_id}/redeliver', {
  operationId: 'redeliverEvent',
  summary: 'Redeliver the event of a delivery',
  description:
    'Works for a delivery with any outcome, which does not change. The answer is a new delivery of the same event, to the present URL of the rule.',
  response: WebhookDeliveryResponse,
  errors: {
    409: 'A delivery of this event by the rule is pending (`delivery_pending`), or the rule is disabled (`rule_disabled`).',
  },
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await redeliverEvent(context, params.event_rule_id, params.delivery_id)),
});

const ofPendingDelivery = {
  params: { event_rule_id: demo.eventRuleWithoutReceiver, delivery_id: demo.pendingDelivery },
  once: true,
} as const;

const cancel = deliveries.act('/{delivery_id}/cancel', {
  operationId: 'cancelWebhookDelivery',
  summary: 'Cancel a pending delivery',
  description: 'No further attempt is made. The event can be delivered again later.',
  example: ofPendingDelivery,
  response: WebhookDeliveryResponse,
  errors: {
    409: 'The delivery is no longer pending (`delivery_completed`), or an attempt is in progress (`attempt_under_way`).',
  },
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await cancelPendingDelivery(context, params.event_rule_id, params.delivery_id)),
});

const attemptNow = deliveries.act('/{delivery_id}/attempt-now', {
  operationId: 'attemptWebhookDelivery',
  summary: 'Attempt a pending delivery now',
  description:
    'Instead of at `nextAttemptAt`, once the receiver is mended. It is one of the ten attempts: if it fails, the next one is as far away as after any. An attempt that is in progress is the one that is asked for.',
  example: ofPendingDelivery,
  response: WebhookDeliveryResponse,
  errors: {
    409: 'The delivery is no longer pending (`delivery_completed`), or the rule is disabled (`rule_disabled`).',
  },
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await attemptDeliveryNow(context, params.event_rule_id, params.delivery_id)),
});

const attemptPending = deliveries.act('/attempt-pending', {
  operationId: 'attemptPendingDeliveries',
  summary: 'Attempt all pending deliveries of an event rule now',
  description:
    'Those that wait for their next attempt, oldest first, up to 10,000, without tests. They take turns at the receiver as always. Calling it twice attempts nothing twice that is still to be attempted.',
  response: AttemptedResponse,
  errors: { 409: 'The rule is disabled (`rule_disabled`).' },
  handler: async ({ context, params }) => attemptPendingNow(context, params.event_rule_id),
});

const failures = deliveries.get('/stats/failures', {
  operationId: 'countWebhookFailures',
  summary: 'Count the failed deliveries of an event rule by cause',
  description:
    'The most frequent cause first: why deliveries failed, and how their last attempt ended. Of the newest 10,000 that failed; those that were delivered again since are among them.',
  response: WebhookFailuresResponse,
  handler: async ({ context, params }) => countWebhookFailures(context, params.event_rule_id),
});

export const deliveryRoutes = [list, failures, get, redeliver, attemptNow, attemptPending, cancel];

function deliveryFilter(query: ListWebhookDeliveriesQuery): WebhookDeliveryFilter {
  const { page, pageSize, sortBy, sortOrder, createdFrom, createdBefore, ...filter } = query;
  return { ...filter, createdFrom: timeOf(createdFrom), createdBefore: timeOf(createdBefore) };
}
