import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../db/database.js';
import {
  type EventToStore,
  insertEvents,
  insertSampleEvent,
  subscribedEventTypes,
} from '../../../db/events/events.js';
import type { EventType } from './event-types.js';
import type { EventPayload } from './payloads.js';
import { samplePayloads } from './sample-payloads.js';

export type NewEvent = { [Type in EventType]: NewEventOf<Type> }[EventType];

interface NewEventOf<Type extends EventType> {
  eventType: Type;
  /** The top-level fields of the body, besides `event`, `id`, `createdAt` and `workspaceUuid`. */
  payload: EventPayload<Type>;
  /** The data record that the event describes. The event is deleted together with it. */
  dataRecordId?: number;
}

/**
 * Writes events with a delivery for each enabled rule, in the transaction of the change that they report: one statement
 * for any number of events (docs/decisions/0050-events.md). Events of types without a rule are not stored.
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const subscribed = await subscribedEventTypes(tx);
  const wanted = events.filter(({ eventType }) => subscribed.has(eventType));
  if (wanted.length > 0) await insertEvents(tx, wanted.map(eventToStore), now);
}

function eventToStore({
  eventType,
  payload,
  dataRecordId,
}: Pick<NewEvent, 'eventType' | 'dataRecordId'> & { payload: object }): EventToStore {
  return {
    uuid: randomUUID(),
    eventType,
    payload: JSON.stringify(payload),
    dataRecordId: dataRecordId ?? null,
  };
}

/**
 * The maximum time between an event's `createdAt` and its commit. Import events carry the time at which the import
 * began; the value includes clock differences between processes.
 */
export const storedWithinMs = 3_600_000;

/** Writes a sample event, with `"test": true` in its body. Matches no rules: the caller starts the delivery. */
export async function writeSampleEvent(
  tx: Tx,
  eventType: EventType,
  now: Date,
): Promise<{ eventId: number }> {
  const event = eventToStore({ eventType, payload: { test: true, ...samplePayloads[eventType] } });
  return { eventId: await insertSampleEvent(tx, event, now) };
}
