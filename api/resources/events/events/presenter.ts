import type { EventDetails } from '../../../../db/events/event-lists.js';
import type { EventWithDeliveries } from '../../../../domain/events/events/stored-events.js';
import type { EventType } from '../../../../domain/kernel/events/event-types.js';
import { presentWebhookDelivery } from '../webhook-deliveries/presenter.js';
import type { StoredEventResponse, StoredEventWithDeliveriesResponse } from './schemas.js';

export function presentEvent(row: EventDetails): StoredEventResponse {
  return {
    id: row.uuid,
    eventType: row.eventType as EventType,
    dataRecordId: row.dataRecordId,
    isTest: row.isTest,
    createdAt: row.createdAt.toISOString(),
    payload: JSON.parse(row.body) as Record<string, unknown>,
  };
}

export function presentEventWithDeliveries(event: EventWithDeliveries): StoredEventWithDeliveriesResponse {
  return {
    ...presentEvent(event),
    deliveries: event.deliveries.map(presentWebhookDelivery),
    ...(event.deliveriesAreCut ? { deliveriesAreCut: true } : {}),
  };
}
