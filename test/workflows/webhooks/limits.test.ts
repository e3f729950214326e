import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/db/use-database.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { createDevEngine } from '../../support/temporal/engine.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { recordRuns } from '../histories.js';

/** Two workers of one service. */
const testDatabase = useDatabase();
let system: TestSystem;
let other: TestSystem;

beforeAll(async () => {
  const engine = await createDevEngine();
  system = await startSystem({ testDatabase, engine });
  other = await startSystem({ testDatabase, engine, relay: false, worker: false });
});
afterAll(async () => {
  await other.stop();
  await system.stop();
});

async function deliverTo(receiver: WebhookReceiver, count: number) {
  const stage = await stageWebhooks(await createWorkspace(system.database), { url: receiver.url() });
  await stage.happen(count);
  await waitFor(
    'all are delivered',
    async () => (await stage.deliveries()).every(({ status }) => status === 'delivered'),
    60_000,
  );
  return stage;
}

/** The number of activity attempts of each run. */
async function activityAttempts(ruleId: number, count: number): Promise<number[]> {
  const runs = await waitFor('all runs are listed', async () => {
    const listed = await recordRuns(system, `RuleId = '${ruleId}' AND ExecutionStatus = 'Completed'`);
    return listed.length === count && listed;
  });
  return runs.flatMap(({ events }) =>
    events.flatMap(({ activityTaskStartedEventAttributes: started }) =>
      started === undefined || started === null ? [] : [(started as { attempt: number }).attempt],
    ),
  );
}

describe('fifty events for one receiver', () => {
  it('are delivered at the first attempt by a fast receiver, with few exceptions on a slow machine', async () => {
    const receiver = await startWebhookReceiver();

    const { rule } = await deliverTo(receiver, 50);

    const attempts = await activityAttempts(rule.id, 50);
    expect(attempts).toHaveLength(50);
    expect(attempts.filter((count) => count > 1).length).toBeLessThanOrEqual(5);
    expect(receiver.received()).toHaveLength(50);
    await receiver.close();
  });

  it('reach a slow receiver at most four at a time, also from two workers', async () => {
    await other.startWorker();
    const receiver = await startWebhookReceiver();
    receiver.behave(async () => {
      await delay(300);
      return {};
    });

    await deliverTo(receiver, 50);

    expect(receiver.maxAtOnce).toBe(4);
    expect(receiver.received()).toHaveLength(50);
    await receiver.close();
  }, 90_000);
});
