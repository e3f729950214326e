import { randomUUID } from 'node:crypto';
import type { Tx } from '../../db/database.js';
import { type EventToStore, insertEvents } from '../../db/queries/events.js';
import type { EventType } from './event-types.js';
import type { EventPayload } from './payloads.js';

/** What happened. */
export type NewEvent = { [Type in EventType]: NewEventOf<Type> }[EventType];

interface NewEventOf<Type extends EventType> {
  eventType: Type;
  /** What stands at the top level of the body, besides `event`, `id`, `createdAt` and `workspaceUuid`. */
  payload: EventPayload<Type>;
  /** The data record it tells of: the event goes with it when it is deleted. */
  dataRecordId?: number;
}

/**
 * Writes events in the transaction of what they tell of, so that the one is never there without the other, and with them
 * what brings each to the receivers of its rules: one statement for any number of events, in their order. The bytes that
 * receivers get are made here, and stay (docs/decisions/0050-events.md).
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events.map(eventToStore), now);
}

/** An event with an id of its own, as it is stored. */
export function eventToStore({
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
