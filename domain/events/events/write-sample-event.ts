import type { Tx } from '../../../db/database.js';
import { insertSampleEvent } from '../../../db/events/events.js';
import type { EventType } from './event-types.js';
import { samplePayloads } from './sample-payloads.js';
import { eventToStore } from './write-events.js';

/**
 * Writes a sample event, with `"test": true` at the top level of its body, to try out a receiver. Matches no rules: the
 * caller starts the delivery (`startWebhookDeliveries`).
 */
export async function writeSampleEvent(
  tx: Tx,
  eventType: EventType,
  now: Date,
): Promise<{ eventId: number }> {
  const event = eventToStore({ eventType, payload: { test: true, ...samplePayloads[eventType] } });
  return { eventId: await insertSampleEvent(tx, event, now) };
}
