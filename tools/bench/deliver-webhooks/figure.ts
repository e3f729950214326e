import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../../db/database.js';
import { insertEventRule } from '../../../db/events/event-rules.js';
import { webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import { createLivePublisher } from '../../../db/live/live-publisher.js';
import { addSigningSecret } from '../../../domain/events/event-rules/signing-secrets.js';
import { writeEvents } from '../../../domain/kernel/events/write-events.js';
import { Encryption } from '../../../domain/lib/encryption.js';
import type { Figure } from '../figure.js';
import { encryptionKey, type Stage } from '../stage/stage.js';
import { rateOf } from '../support/durations.js';
import { event, secret } from './event.js';

const backlogPerOperation = 5;
const patiencePerDeliveryMs = 1_000;

/** The delivery rate of a backlog of events until the last one is recorded, to a receiver that answers at once. */
export const deliverWebhooks: Figure = {
  name: 'deliver-webhooks',
  title: 'Delivering a backlog of events',
  unit: 'runs/s',
  target: { ratioAtLeast: 0.8 },
  async prepare(stage, { operations }) {
    const receiver = await stage.startScript(new URL('./receiver.ts', import.meta.url));
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', NODE_ENV: 'development' };
    const [floor] = await Promise.all([
      stage.startScript(new URL('./floor.ts', import.meta.url), {
        env: { RECEIVER_URL: `${receiver.url}/floor` },
      }),
      stage.startWorker({ env }),
      addRule(stage, `${receiver.url}/service`),
    ]);
    const count = operations * backlogPerOperation;
    return {
      floor: () =>
        rateOf(count, async () => {
          const response = await fetch(`${floor.url}/runs?count=${count}`, { method: 'POST' });
          if (!response.ok) throw new Error(`the floor answered ${response.status}`);
        }),
      measured: () =>
        rateOf(count, async () => {
          await writeBacklog(stage, count);
          await allDelivered(stage, count);
        }),
    };
  },
};

export async function addRule({ database, workspace }: Stage, url: string): Promise<void> {
  const now = new Date();
  await database.inWorkspace(workspace.workspaceId, async (tx) => {
    const rule = await insertEventRule(tx, {
      name: 'Tell the receiver',
      eventType: event.eventType,
      actionType: 'webhook:send',
      webhookEndpointId: await webhookEndpointAt(tx, url, now),
      createdByMemberId: null,
      createdAt: now,
    });
    const encryption = new Encryption(encryptionKey);
    await addSigningSecret(tx, encryption, { eventRuleId: rule.id, text: secret, createdAt: now });
  });
}

/** Writes the events as an import does: in one transaction, and then wakes the relay. */
async function writeBacklog({ appUrl, workspace }: Stage, count: number): Promise<void> {
  const publisher = createLivePublisher(appUrl);
  const database = new Database({ url: appUrl, onOutboxWritten: publisher.outboxWritten });
  const events = Array.from({ length: count }, () => event);
  await database.inWorkspace(workspace.workspaceId, (tx) => writeEvents(tx, events, new Date()));
  await publisher.close();
  await database.close();
}

/** Polls rarely, and by the index of pending deliveries, because polling slows down the measured system. */
export async function allDelivered({ database, workspace }: Stage, count: number): Promise<void> {
  const exists = async (condition: string) =>
    database.readInWorkspace(workspace.workspaceId, async (tx) => {
      const question = `select exists (select from webhook_deliveries where ${condition}) as found`;
      return (await tx.raw(question)).rows[0].found as boolean;
    });
  const checkEveryMs = 20;
  const deadline = Date.now() + patiencePerDeliveryMs * count;
  while (await exists(`status = 'pending'`)) {
    if (Date.now() > deadline) throw new Error('events wait to be delivered for too long');
    await pause(checkEveryMs);
  }
  if (await exists(`status <> 'delivered'`)) throw new Error('an event was not delivered');
}
