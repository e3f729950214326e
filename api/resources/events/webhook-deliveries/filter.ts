import type { WebhookDeliveryFilter } from '../../../../db/events/webhook-delivery-lists.js';
import type { ListWebhookDeliveriesQuery } from './schemas.js';

/** Converts a query to the filter of a list of deliveries. */
export function deliveryFilter(query: ListWebhookDeliveriesQuery): WebhookDeliveryFilter {
  const { page, pageSize, sortBy, sortOrder, createdFrom, createdBefore, ...filter } = query;
  return {
    ...filter,
    ...(createdFrom === undefined ? {} : { createdFrom: new Date(createdFrom) }),
    ...(createdBefore === undefined ? {} : { createdBefore: new Date(createdBefore) }),
  };
}
