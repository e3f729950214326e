import type { Client } from '@temporalio/client';
import type { EventType } from '../../../domain/kernel/events/event-types.js';
import { freePort } from '../../../tools/dev/provision/ports.js';
import type { Mishap } from '../../../tools/simulators/webhook-sink/knobs.js';
import { startWebhookSink } from '../../../tools/simulators/webhook-sink/start-webhook-sink.js';
import { reconcilerScheduleId } from '../../../workflows/contracts/runs.js';
import { type OwnPostgres, startOwnPostgres } from '../../support/faults/own-postgres.js';
import { startWorkerProcess } from '../../support/run/service-process.js';
import { ask } from '../../support/simulators/ask.js';
import { startSystem } from '../../support/system/system.js';
import { pauseSchedule } from '../../support/temporal/pause-schedule.js';
import { type OwnTemporal, startOwnTemporal } from '../../support/temporal/temporal.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { Mortal } from '../storm/mortal.js';

/** Servers, a worker and a receiver for each type of event, all of which can be killed or told to fail. */
export interface Scene {
  postgres: OwnPostgres;
  temporal: OwnTemporal;
  client: Client;
  worker: Mortal;
  workspace: TestWorkspace;
  sinkUrl: string;
  stop(): Promise<void>;
}

/** What is told of here; the receiver of each has its name. */
export const eventTypesTold = [
  'data_record:changed',
  'member:updated',
  'chat:created',
  'call:completed',
] as const satisfies EventType[];

const secret = `whsec_${Buffer.alloc(32, 11).toString('base64')}`;

/** A third of the requests fails, in every way that may pass. */
const mishaps: Mishap[] = [
  { answer: 'status', status: 503, chance: 0.12 },
  { answer: 'status', status: 500, chance: 0.05 },
  { answer: 'status', status: 429, retryAfter: '1', chance: 0.03 },
  { answer: 'reset', chance: 0.06 },
  { answer: 'garbage', chance: 0.03 },
  { answer: 'redirect', chance: 0.03 },
  { answer: 'huge', status: 502, bytes: 1_000_000, chance: 0.01 },
];
/** Long enough that a killed worker leaves requests under way. */
const latencyMs = 10;
/** With so many attempts none is given up, however unlucky. */
const retryDelays = [0, ...Array<number>(29).fill(1)].join();

/** Takes some seconds. */
export async function startScene(seed: number): Promise<Scene> {
  const [postgres, temporal, sink] = await Promise.all([
    startOwnPostgres(),
    startOwnTemporal(),
    startWebhookSink({ port: 0 }),
  ]);
  const system = await startSystem({
    testDatabase: postgres,
    temporalAddress: temporal.address,
    relay: false,
    worker: false,
  });
  const worker = new Mortal('worker', async () =>
    startWorkerProcess({
      system,
      testDatabase: postgres,
      publicUrl: `http://127.0.0.1:${await freePort()}`,
      env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_DELAYS: retryDelays },
    }),
  );
  await worker.start();
  // It mends what this looks for: what got lost has to stay lost.
  await pauseSchedule(system.client, reconcilerScheduleId);

  const workspace = await createWorkspace(postgres.database);
  for (const eventType of eventTypesTold) {
    await addEventRule(workspace, { eventType, secret, url: `${sink.url}/hooks/${eventType}` });
    await ask(sink.url, 'PUT', `/hooks/${eventType}/secret`, { secret });
  }
  await ask(sink.url, 'POST', '/knobs', { seed, latencyMs, mishaps });
  return {
    postgres,
    temporal,
    client: system.client,
    worker,
    workspace,
    sinkUrl: sink.url,
    async stop() {
      await worker.kill();
      await Promise.all([system.stop(), sink.close()]);
      await Promise.all([temporal.stop(), postgres.stop()]);
    },
  };
}
