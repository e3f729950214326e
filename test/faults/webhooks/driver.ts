import { setTimeout as delay } from 'node:timers/promises';
import { samplePayloads } from '../../../domain/kernel/events/sample-payloads.js';
import { type NewEvent, writeEvents } from '../../../domain/kernel/events/write-events.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { ask } from '../../support/simulators/ask.js';
import type { Outage, WebhookPlan } from './plan.js';
import { eventTypesTold, type Scene } from './scene.js';

/** What the one who wrote the events was told. */
export type Written = { acknowledged: number; unanswered: number };

/** Events of one transaction, and how many may wait to be taken before more are written. */
const batchSize = 20;
const maxWaiting = 1_000;
/** Everything is back in seconds, and an attempt whose worker died is made anew within a minute. */
export const goesOnWithinMs = 120_000;

/**
 * Has events written and delivered while worker, Temporal and database are killed, each when so many are taken. When it
 * resolves, all events are written and everything is back.
 */
export async function storm(scene: Scene, plan: WebhookPlan): Promise<Written> {
  const written: Written = { acknowledged: 0, unanswered: 0 };
  const writing = writeAll(scene, plan.events, written);
  await Promise.all([writing, endureAll(scene, plan.outages)]);
  return written;
}

async function endureAll(scene: Scene, outages: readonly Outage[]): Promise<void> {
  for (const outage of outages) {
    const { name, atTaken, forMs } = outage;
    await untilTaken(scene, atTaken);
    const { start, stop } = faultOf(scene, name);
    await start();
    await delay(forMs);
    await stop();
  }
}

function faultOf({ worker, temporal, postgres }: Scene, name: Outage['name']) {
  switch (name) {
    case 'worker_killed':
      return { start: () => worker.kill(), stop: () => worker.start() };
    case 'temporal_killed':
      return { start: () => temporal.kill(), stop: () => temporal.start() };
    case 'postgres_killed':
      return { start: () => postgres.kill(), stop: () => postgres.start() };
  }
}

async function writeAll(scene: Scene, count: number, written: Written): Promise<void> {
  while (written.acknowledged < count) {
    await untilTaken(scene, written.acknowledged - maxWaiting);
    const batch = batchAt(written.acknowledged, Math.min(batchSize, count - written.acknowledged));
    await waitFor('events are written', () => write(scene, batch, written), goesOnWithinMs);
  }
}

function batchAt(from: number, size: number): NewEvent[] {
  return Array.from({ length: size }, (_, index) => {
    const eventType = eventTypesTold[(from + index) % eventTypesTold.length] ?? eventTypesTold[0];
    return { eventType, payload: samplePayloads[eventType] } as NewEvent;
  });
}

/** Who was not told that the transaction was committed writes again, as a client would ask again. */
async function write(
  { workspace: { database, workspaceId } }: Scene,
  batch: readonly NewEvent[],
  written: Written,
): Promise<boolean> {
  try {
    await database.inWorkspace(workspaceId, (tx) => writeEvents(tx, batch, new Date()));
    written.acknowledged += batch.length;
    return true;
  } catch {
    written.unanswered += batch.length;
    return false;
  }
}

/** However long it takes, as long as it goes on. @throws when nothing more is taken */
async function untilTaken(scene: Scene, count: number): Promise<void> {
  for (let taken = await takenSoFar(scene); taken < count; ) {
    const before = taken;
    taken = await waitFor(
      `more than ${before} webhooks are taken`,
      async () => {
        const now = await takenSoFar(scene);
        return now > before ? now : undefined;
      },
      goesOnWithinMs,
    );
  }
}

/** How many webhooks the receivers took, those that came again included. */
async function takenSoFar({ sinkUrl }: Scene): Promise<number> {
  const hooks = await ask<{ taken: number }[]>(sinkUrl, 'GET', '/hooks');
  return hooks.reduce((sum, { taken }) => sum + taken, 0);
}
