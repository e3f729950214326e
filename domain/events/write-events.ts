import { randomUUID } from 'node:crypto';
import type { Tx } from '../../db/database.js';
import { insertEvents } from '../../db/queries/events.js';
import type { EventType } from './event-types.js';

/** What happened. */
export interface NewEvent {
  eventType: EventType;
  /** What stands at the top level of the body, besides `event`, `id`, `createdAt` and `workspaceUuid`. */
  payload: Readonly<Record<string, unknown>>;
  /** The data record it tells of: the event goes with it when it is deleted. */
  dataRecordId?: number;
}

/**
 * Writes events in the transaction of what they tell of, so that the one is never there without the other: one
 * statement for any number, in their order. The bytes that receivers get are made here, and stay
 * (docs/decisions/0050-events.md).
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ eventType, payload, dataRecordId }) => ({
    uuid: randomUUID(),
    eventType,
    payload: JSON.stringify(payload),
    dataRecordId: dataRecordId ?? null,
  }));
  await insertEvents(tx, rows, now);
}
