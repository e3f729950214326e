import type { EventType } from '../../kernel/events/event-types.js';

/** What a wait can wait for as an event, counted from its entry: with words for operators. */
export const awaitedEvents = {
  'data_record:created': 'a new record of the member',
  'data_record:updated': 'a change of a record of the member',
  'data_record:changed': 'a new or changed record of the member',
  'member:updated': "a change of the member's details",
  'chat:replied': 'a message of the member',
} as const satisfies Partial<Record<EventType | 'chat:replied', string>>;

export type AwaitedEvent = keyof typeof awaitedEvents;
