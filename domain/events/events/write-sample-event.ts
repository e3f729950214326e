import type { Tx } from '../../../db/database.js';
import { insertSampleEvent } from '../../../db/events/events.js';
import type { EventType } from './event-types.js';
import { samplePayloads } from './sample-payloads.js';
import { eventToStore } from './write-events.js';

/**
 * Writes an event that never happened, for whoever wants to see what a receiver makes of one: complete, with `"test": true`
 * at the top level of its body. No rule is looked for: who asks for it has it delivered (`startWebhookDeliveries`).
 */
export async function writeSampleEvent(
  tx: Tx,
  eventType: EventType,
  now: Date,
): Promise<{ eventId: number }> {
  const event = eventToStore({ eventType, payload: { test: true, ...samplePayloads[eventType] } });
  return { eventId: await insertSampleEvent(tx, event, now) };
}
