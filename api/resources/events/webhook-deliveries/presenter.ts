import type { WebhookDeliveryDetails } from '../../../../db/events/webhook-delivery-lists.js';
import type { WebhookDeliveryWithPayload } from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import type { EventType } from '../../../../domain/kernel/events/event-types.js';
import type { WebhookDeliveryResponse, WebhookDeliveryWithPayloadResponse } from './schemas.js';

export function presentWebhookDelivery(row: WebhookDeliveryDetails): WebhookDeliveryResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    eventRuleId: row.eventRuleId,
    eventId: row.eventUuid,
    eventType: row.eventType as EventType,
    trigger: row.trigger,
    status: row.status,
    failureReason: row.failureReason,
    attemptCount: row.attemptCount,
    lastStatusCode: row.lastStatusCode,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

export function presentWebhookDeliveryWithPayload(
  row: WebhookDeliveryWithPayload,
): WebhookDeliveryWithPayloadResponse {
  return { ...presentWebhookDelivery(row), payload: row.payload };
}
