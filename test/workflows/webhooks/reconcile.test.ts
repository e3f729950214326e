import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../activities/kernel/reconciler.js';
import { overdueAfterMs } from '../../../domain/events/webhook-deliveries/reconcile-deliveries.js';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { useDatabase } from '../../support/db/use-database.js';
import { minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { tried } from '../../support/temporal/tried.js';
import { useWebhookSystem } from '../../support/webhooks/use-webhook-system.js';
import { type StagedDelivery, stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';

const testDatabase = useDatabase();
/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const retryDelaysMs = [0, minutes(30)];
const { system, receiver } = useWebhookSystem({ testDatabase, relay: false, clock, retryDelaysMs });

const reconcile = (): Promise<Reconciliation> =>
  system.client.workflow.execute('reconcileRuns', {
    workflowId: `reconcile-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
const stageAt = async (path: string) =>
  stageWebhooks(await createWorkspace(system.database), { url: receiver.url(path) });
const nothing = { checked: 0, restarted: 0, concluded: 0, woken: 0, failed: 0, finished: true };

describe('the reconciler of webhooks', () => {
  it('restarts a missing run, and concludes the delivery of a terminated one', async () => {
    receiver.behave(({ path }) => ({ status: path === '/terminated' ? 503 : 204 }));
    const [missing, terminated] = [await stageAt('/missing'), await stageAt('/terminated')];
    const [lost] = (await missing.happen(1, system.clock.now())) as [StagedDelivery];
    await emptyOutbox(testDatabase);
    expect(await reconcile()).toEqual(nothing);

    aheadMs += overdueAfterMs + 1_000;
    expect(await reconcile()).toEqual({ ...nothing, checked: 1, restarted: 1 });
    expect(await reconcile()).toEqual(nothing);
    system.startRelay();
    await waitFor('it is delivered', async () => (await missing.delivery(lost.id)).status === 'delivered');

    const [failing] = (await terminated.happen(1, system.clock.now())) as [StagedDelivery];
    const run = system.run('deliverWebhook', failing.uuid);
    await waitFor('it was tried', () => tried(run).then(() => true));
    aheadMs += minutes(45);
    expect(await reconcile()).toEqual({ ...nothing, checked: 1 });
    await run.terminate();

    expect(await reconcile()).toEqual({ ...nothing, checked: 1, concluded: 1 });

    expect(await terminated.delivery(failing.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'run_terminated',
    });
    expect(await reconcile()).toEqual(nothing);
  });
});
