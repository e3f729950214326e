import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';

let system: TestSystem;
let receiver: WebhookReceiver;

beforeAll(async () => {
  system = await startSystem({ retryDelaysMs: [0, 0, 0] });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await system.stop();
  await receiver.close();
});

const stageAt = async (path: string) =>
  stageWebhooks(await createWorkspace(system.database), { url: receiver.url(path) });

/** The outcome of the run, which the relay may not have started yet. */
const outcome = (uuid = '') =>
  waitFor('the run has ended', async () => system.run('deliverWebhook', uuid).result());

describe('the deliverWebhook run', () => {
  it('posts an event once, records the attempt and completes', async () => {
    const stage = await stageAt('/taken');
    const [delivery] = await stage.happen();

    expect(await outcome(delivery?.uuid)).toEqual({ status: 'delivered' });

    expect(await stage.deliveries()).toMatchObject([
      { status: 'delivered', attempt_count: 1, last_status_code: 204, next_attempt_at: null },
    ]);
    expect(await stage.attempts(delivery?.id ?? 0)).toMatchObject([
      { number: 1, status_code: 204, error_code: null, finished_at: expect.any(Date) },
    ]);
    expect(receiver.received('/taken')).toHaveLength(1);
  });

  it('retries a failing event with the same id and bytes until the attempts are used up', async () => {
    const stage = await stageAt('/fails');
    receiver.behave(({ path }) => (path === '/fails' ? { status: 503, body: 'no' } : {}));
    const [delivery] = await stage.happen();

    expect(await outcome(delivery?.uuid)).toEqual({ status: 'failed' });

    expect(await stage.deliveries()).toMatchObject([
      { status: 'failed', failure_reason: 'attempts_exhausted', attempt_count: 3, last_status_code: 503 },
    ]);
    const received = receiver.received('/fails');
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});
