import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookSlots } from '../../../activities/events/webhooks.js';
import type { EventType } from '../../../domain/kernel/events/event-types.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { stageWebhooks, type WebhookStage } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';

const few = 10;
/** More deliveries than a worker has slots, and far more than that. */
const many = 1.1 * webhookSlots;
const tooMany = 5 * webhookSlots;
/** A dead receiver holds a request until the sender’s timeout. */
const hangsMs = 15_000;

let system: TestSystem;
let receiver: WebhookReceiver;

beforeAll(async () => {
  system = await startSystem();
  receiver = await startWebhookReceiver();
  receiver.behave(({ path }) => (path.startsWith('/dead') ? undefined : {}));
});
afterAll(async () => {
  // Close the receiver first, because the worker waits for its open requests.
  await receiver.close();
  await system.stop();
});

/** The time until a few new events have been delivered. */
async function timeToDeliver(stage: WebhookStage): Promise<number> {
  const startedAt = performance.now();
  await stage.happen(few);
  await delivered(stage);
  return performance.now() - startedAt;
}

const delivered = (stage: WebhookStage) =>
  waitFor(
    'all have been delivered',
    async () => (await stage.deliveries()).every(({ status }) => status === 'delivered'),
    60_000,
  );

/** The slowest of several deliveries, some of them while all hanging requests occupy the worker. */
async function slowestDelivery(stage: WebhookStage): Promise<number> {
  let slowest = 0;
  for (let times = 0; times < 4; times += 1) slowest = Math.max(slowest, await timeToDeliver(stage));
  return slowest;
}

const begun = ({ workspaceId }: { workspaceId: number }) =>
  waitFor(
    'all its runs have begun',
    async () => {
      const left = await system.database.inWorkspace(workspaceId, (tx) => tx('outbox').select('id').limit(1));
      return left.length === 0;
    },
    60_000,
  );

describe('a receiver that never answers', () => {
  it('does not delay other workspaces', { timeout: 180_000 }, async () => {
    const [one, other] = [await createWorkspace(system.database), await createWorkspace(system.database)];
    const dead = await stageWebhooks(one, { url: receiver.url('/dead') });
    const healthy = await stageWebhooks(other, { url: receiver.url('/healthy') });
    await timeToDeliver(healthy);
    const alone = await timeToDeliver(healthy);

    await dead.happen(tooMany);
    await begun(one);

    expect(await slowestDelivery(healthy)).toBeLessThan(4 * alone + hangsMs / 5);
  });

  it('leaves slots for healthy receivers of its workspace on other hosts, also with several dead ones', {
    timeout: 180_000,
  }, async () => {
    const workspace = await createWorkspace(system.database);
    const types: EventType[] = ['call:started', 'call:completed', 'data_record:created', 'member:updated'];
    const dead = await Promise.all(
      types.map((eventType, place) =>
        stageWebhooks(workspace, { eventType, url: receiver.url(`/dead-${place}`) }),
      ),
    );
    const url = receiver.url('/its-healthy-one').replace('127.0.0.1', 'localhost');
    const healthy = await stageWebhooks(workspace, { url });
    const alone = await timeToDeliver(healthy);

    await Promise.all(dead.map((stage) => stage.happen(Math.ceil(many / types.length))));
    await begun(workspace);

    expect(await slowestDelivery(healthy)).toBeLessThan(4 * alone + hangsMs / 3);
  });
});
