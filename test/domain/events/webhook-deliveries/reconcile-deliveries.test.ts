import { beforeEach, describe, expect, it } from 'vitest';
import { deferAttempt } from '../../../../domain/events/webhook-deliveries/defer-attempt.js';
import {
  type OverdueAfter,
  overdueAfterMs,
  overdueDeliveries,
} from '../../../../domain/events/webhook-deliveries/reconcile-deliveries.js';
import type { RowOfRun } from '../../../../domain/kernel/reconcile-rows.js';
import { walkThrough } from '../../../support/api/walk-through.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import {
  type StagedDelivery,
  stageWebhooks,
  type WebhookStage,
} from '../../../support/webhooks/webhook-stage.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const testDatabase = useDatabase();
let workspace: TestWorkspace;
let clock: MovedClock;
let stage: WebhookStage;
beforeEach(async () => {
  clock = new MovedClock();
  workspace = await createWorkspace(testDatabase.database);
  stage = await stageWebhooks(workspace);
});

const context = () => ({ db: workspace.database, clock });
async function overdue(): Promise<RowOfRun[]> {
  return walkThrough<RowOfRun, OverdueAfter>((after) =>
    overdueDeliveries.page(context(), workspace.workspaceId, after),
  );
}

describe('reconciliation of overdue deliveries', () => {
  it('lists each delivery once over all pages, although many became due at the same moment', async () => {
    const deliveries = await stage.happen(450, clock.now());
    await emptyOutbox(testDatabase);
    clock.advance(overdueAfterMs + 1);

    const listed = await overdue();

    expect(listed.map(({ id }) => id)).toEqual(deliveries.map(({ id }) => id));
  });

  it('does not list deliveries that wait for the relay or are only a little late', async () => {
    await stage.happen(2, clock.now());
    clock.advance(overdueAfterMs + 1);
    expect(await overdue()).toEqual([]);

    await emptyOutbox(testDatabase);
    expect(await overdue()).toHaveLength(2);
    await stage.happen(1, clock.now());
    await emptyOutbox(testDatabase);
    clock.advance(overdueAfterMs - 1);

    expect(await overdue()).toHaveLength(2);
  });

  it('does not list deliveries that wait for their receiver, however long', async () => {
    const [one] = (await stage.happen(1, clock.now())) as [StagedDelivery];
    await emptyOutbox(testDatabase);
    await workspace.within((tx) =>
      tx('webhook_endpoints').update({ next_slot_at: new Date(clock.now().getTime() + minutes(20)) }),
    );

    const at = await deferAttempt(context(), stage.ref(one));

    clock.advance(2 * overdueAfterMs);
    expect(await overdue()).toEqual([]);
    clock.advance(at.getTime() + overdueAfterMs + 1 - clock.now().getTime());
    expect(await overdue()).toHaveLength(1);
  });

  it('repairs a delivery once when it is called many times or too late', async () => {
    await stage.happen(1, clock.now());
    await emptyOutbox(testDatabase);
    clock.advance(overdueAfterMs + 1);
    const [one] = (await overdue()) as [RowOfRun];

    const repaired = await Promise.all(
      Array.from({ length: 10 }, () => overdueDeliveries.repair(context(), one, 'missing')),
    );

    expect(repaired.filter((what) => what !== undefined)).toEqual(['restarted']);
    await emptyOutbox(testDatabase);
    expect(await overdueDeliveries.repair(context(), one, 'closed')).toBe('concluded');
    expect(await overdueDeliveries.repair(context(), one, 'closed')).toBeUndefined();
    expect(await stage.delivery(one.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'run_terminated',
      completed_at: clock.now(),
    });
  });
});
