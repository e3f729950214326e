import type { WebhookDeliveryDetails } from '../../../../db/events/webhook-delivery-lists.js';
import type { EventType } from '../../../../domain/kernel/events/event-types.js';

export function presentWebhookDelivery<Row extends WebhookDeliveryDetails>(row: Row) {
  return { ...row, eventId: row.eventUuid, eventType: row.eventType as EventType };
}
