import { randomUUID } from 'node:crypto';
import {
  type EventToStore,
  insertEvents,
  insertSampleEvent,
  subscribedEventTypes,
} from '../../../db/events/events.js';
import type { Tx } from '../../../db/tx.js';
import type { EventType } from './event-types.js';
import type { EventPayload } from './payloads.js';
import { samplePayloads } from './sample-payloads.js';

export type NewEvent = { [Type in EventType]: NewEventOf<Type> }[EventType];

interface NewEventOf<Type extends EventType> {
  eventType: Type;
  /** The top-level fields of the body, besides those of every event. */
  payload: EventPayload<Type>;
  /** The data record that the event describes. The event is deleted together with it. */
  dataRecordId?: number;
}

/**
 * Writes events with a delivery for each enabled rule, in the transaction of the change that they report, by one
 * statement (docs/decisions/0050-events.md). Events of types without a rule are not stored.
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const subscribed = await subscribedEventTypes(tx);
  const wanted = events.filter(({ eventType }) => subscribed.has(eventType));
  if (wanted.length > 0) await insertEvents(tx, wanted.map(eventToStore), now);
}

/** `writeEvents` for events whose bodies have to be read: `read` is not called where no rule is of one of the types. */
export async function writeEventsIfWanted(
  tx: Tx,
  types: readonly EventType[],
  read: () => Promise<readonly NewEvent[]>,
  now: Date,
): Promise<void> {
  const subscribed = await subscribedEventTypes(tx);
  if (types.some((type) => subscribed.has(type))) await writeEvents(tx, await read(), now);
}

type Unstored = Pick<NewEvent, 'eventType' | 'dataRecordId'> & { payload: object };

function eventToStore({ eventType, payload, dataRecordId }: Unstored): EventToStore {
  return {
    uuid: randomUUID(),
    eventType,
    payload: JSON.stringify(payload),
    dataRecordId: dataRecordId ?? null,
    memberId: eventType === 'member:erased' ? null : memberOf(payload),
  };
}

/** The member that an event is about: its erasure deletes the event. */
function memberOf(payload: object): number | null {
  const { member, dataRecord, chat, assignment } = payload as {
    member?: { id: number };
    dataRecord?: { memberId: number };
    chat?: { memberId: number };
    assignment?: { memberId: number };
  };
  return member?.id ?? dataRecord?.memberId ?? chat?.memberId ?? assignment?.memberId ?? null;
}

/** The maximum time between an event's `createdAt`, for imports their begin, and its commit; clocks may differ. */
export const storedWithinMs = 3_600_000;

/** Writes a sample event, with `"test": true` in its body, and returns its id. The caller starts the delivery. */
export async function writeSampleEvent(tx: Tx, eventType: EventType, now: Date): Promise<number> {
  const event = eventToStore({ eventType, payload: { test: true, ...samplePayloads[eventType] } });
  // The ids in a sample are invented.
  return insertSampleEvent(tx, { ...event, memberId: null }, now);
}
