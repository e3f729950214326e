import type { Schemas } from '../kit/api.js';

export type EventType = Schemas['EventRuleResponse']['eventType'];
export type DeliveryStatus = Schemas['WebhookDeliveryResponse']['status'];
export type Trigger = Schemas['WebhookDeliveryResponse']['trigger'];

export const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export const triggers = ['event', 'redelivery', 'test', 'missed'] as const;

/** What the address of the list of rules says. */
export interface RulesSearch {
  eventType?: EventType;
  enabled?: boolean;
}

/** What the address of a rule says of its deliveries, and which of them is open. */
export interface DeliveriesSearch {
  status?: DeliveryStatus;
  trigger?: Trigger;
  delivery?: number;
}

/** What the address of the events says, and which of them is open. */
export interface EventsSearch {
  eventType?: EventType;
  event?: string;
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

/** The API knows the event types; here, only their form is looked at. */
const eventTypeOf = (value: unknown): EventType | undefined =>
  typeof value === 'string' && /^\w+:\w+$/.test(value) ? (value as EventType) : undefined;

export function readRulesSearch({ eventType, enabled }: Record<string, unknown>): RulesSearch {
  return { eventType: eventTypeOf(eventType), enabled: typeof enabled === 'boolean' ? enabled : undefined };
}

export function readDeliveriesSearch({
  status,
  trigger,
  delivery,
}: Record<string, unknown>): DeliveriesSearch {
  return {
    status: oneOf(statuses, status),
    trigger: oneOf(triggers, trigger),
    delivery: Number.isSafeInteger(delivery) ? (delivery as number) : undefined,
  };
}

export function readEventsSearch({ eventType, event }: Record<string, unknown>): EventsSearch {
  return { eventType: eventTypeOf(eventType), event: typeof event === 'string' ? event : undefined };
}
