import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { webhookHeaders } from '../../../domain/events/webhooks/sign-webhook.js';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import { concurrently } from '../support/durations.js';
import { floorTaskQueue, runFloorWorker } from '../support/floor-worker.js';
import { event, secret } from './event.js';

/*
 * The floor of a delivery: a run with one activity that signs and posts the same event, without rule matching,
 * look-ups, claims, records or limits for each receiver. This process starts the runs, with the relay's concurrency.
 */

const atOnce = 80;
const agent = new http.Agent({ keepAlive: true });
const client = createTemporalClient({
  address: process.env.TEMPORAL_ADDRESS ?? '',
  namespace: process.env.TEMPORAL_NAMESPACE ?? '',
  tls: false,
});

/** The number of events that are still to be posted, and the callback after the last one. */
let left = 0;
let allPosted = (): void => undefined;

async function post(workspaceUuid: string): Promise<void> {
  const uuid = randomUUID();
  const at = new Date();
  const { eventType, payload } = event;
  const body = JSON.stringify({ event: eventType, id: uuid, createdAt: at, workspaceUuid, ...payload });
  const request = http.request(process.env.RECEIVER_URL ?? '', {
    agent,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'workspace-engagement-service',
      'Accept-Encoding': 'identity',
      ...webhookHeaders({ eventUuid: uuid, body, secrets: [secret], at }),
    },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 204) throw new Error(`the receiver answered ${response.statusCode}`);
  left -= 1;
  if (left === 0) allPosted();
}

/** Resolves once all events have been posted, without waiting for the runs to close. */
async function startRuns(count: number): Promise<void> {
  left = count;
  const posted = new Promise<void>((resolve) => {
    allPosted = resolve;
  });
  await concurrently(count, atOnce, () => {
    const workflowId = `floor-${randomUUID()}`;
    return client.workflow.start('floor', { workflowId, taskQueue: floorTaskQueue, args: [randomUUID()] });
  });
  await posted;
}

await runFloorWorker(new URL('./floor-workflow.ts', import.meta.url), { post }, async (url) => {
  const count = Number(url.searchParams.get('count'));
  if (count > 0) await startRuns(count);
});
