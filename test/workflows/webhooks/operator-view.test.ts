import { beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { tried } from '../../support/temporal/tried.js';
import { useWebhookSystem } from '../../support/webhooks/use-webhook-system.js';
import {
  type StagedDelivery,
  stageWebhooks,
  type WebhookStage,
} from '../../support/webhooks/webhook-stage.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { readable, recordRuns, summariesOf } from '../histories.js';

const { system, receiver } = useWebhookSystem({ retryDelaysMs: [0, minutes(30)] });
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await createWorkspace(system.database);
  receiver.behave(({ path }) => ({ status: path.startsWith('/fails') ? 503 : 200, body: 'planted answer' }));
});

const runOf = ({ uuid }: StagedDelivery) => system.run('deliverWebhook', uuid);
const currentDetails = async (delivery: StagedDelivery) =>
  (await runOf(delivery).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
async function begin(stage: WebhookStage): Promise<StagedDelivery> {
  const [delivery] = await stage.happen();
  if (delivery === undefined) throw new Error('nothing is to be delivered');
  await waitFor('its run has begun', async () => runOf(delivery).describe());
  return delivery;
}

describe('the webhook runs in the Temporal UI', () => {
  it('are found by one query for a failing endpoint, and show the failure and the next attempt', async () => {
    const eventType = 'call:started';
    const failing = await stageWebhooks(workspace, { eventType, url: receiver.url('/fails') });
    const fine = await stageWebhooks(workspace, { eventType: 'call:summary', url: receiver.url('/fine') });
    const deliveries = [await begin(failing), await begin(failing)];
    await begin(fine);
    for (const delivery of deliveries) await tried(runOf(delivery));

    const query = `RuleId = '${failing.rule.id}' AND EventType = '${eventType}' AND ExecutionStatus = 'Running'`;
    const found = await waitFor('both are listed', async () => {
      const ids: string[] = [];
      for await (const { workflowId } of system.client.workflow.list({ query })) ids.push(workflowId);
      return ids.length === 2 && ids;
    });

    expect(found.sort()).toEqual(deliveries.map(({ uuid }) => `webhook-${uuid}`).sort());
    const { raw } = await runOf(deliveries[0] as StagedDelivery).describe();
    const [pending] = raw.pendingActivities ?? [];
    expect(pending?.lastFailure).toMatchObject({
      message: 'attempt 1: http_503',
      applicationFailureInfo: { type: 'http_503' },
    });
    const next = Number(pending?.nextAttemptScheduleTime?.seconds) * 1_000 - Date.now();
    expect(next).toBeGreaterThan(minutes(29));
    expect(next).toBeLessThan(minutes(34));
    expect(await currentDetails(deliveries[0] as StagedDelivery)).toContain(
      'up to ten attempts, the next 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours after a failed one',
    );
    for (const delivery of deliveries) await runOf(delivery).cancel();
  });

  it('show their summary and outcome, and nothing of the request or response', async () => {
    const secret = 'a planted secret of a receiver';
    const stage = await stageWebhooks(workspace, {
      eventType: 'chat:created',
      url: receiver.url('/taken?token=planted-token'),
      secret,
    });
    const delivery = await begin(stage);
    expect(await runOf(delivery).result()).toEqual({ status: 'delivered', attempts: 1 });

    const description = await runOf(delivery).describe();
    const summary = `chat:created: delivery ${delivery.id} of rule ${stage.rule.id}`;
    expect(await description.staticSummary()).toBe(summary);
    expect(await currentDetails(delivery)).toBe('Delivered at the 1st attempt.');
    const [history] = await recordRuns(system, `WorkflowId = 'webhook-${delivery.uuid}'`);
    if (history === undefined) throw new Error('there is no history');
    expect(summariesOf(history)).toEqual([summary, 'Post the event to the receiver']);
    for (const planted of ['planted', 'token', '127.0.0.1', secret, 'phone-sms', 'sample']) {
      expect(readable(history).toLowerCase()).not.toContain(planted);
    }
  });

  it('cancel the delivery when they are cancelled', async () => {
    const stage = await stageWebhooks(workspace, {
      eventType: 'call:completed',
      url: receiver.url('/fails-too'),
    });
    const delivery = await begin(stage);
    await tried(runOf(delivery));

    await runOf(delivery).cancel();

    expect(await runOf(delivery).result()).toEqual({ status: 'cancelled' });
    expect((await runOf(delivery).describe()).status.name).toBe('COMPLETED');
    expect(await stage.delivery(delivery.id)).toMatchObject({
      status: 'cancelled',
      failure_reason: 'run_cancelled',
    });
    expect(await currentDetails(delivery)).toBe('Ended: `cancelled`, after it was cancelled in Temporal.');
  });

  it('complete as delivered if they are cancelled during a successful attempt', async () => {
    const stage = await stageWebhooks(workspace, { eventType: 'member:updated', url: receiver.url('/held') });
    let take: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      take = resolve;
    });
    receiver.behave(async () => {
      await held;
      return {};
    });
    const delivery = await begin(stage);
    await waitFor('it is on its way', () => receiver.received('/held').length === 1);
    await runOf(delivery).cancel();
    await waitFor('it is asked whether it may be called off', async () => {
      const { raw } = await runOf(delivery).describe();
      return (raw.pendingActivities ?? []).some(({ lastFailure }) =>
        lastFailure?.message?.includes('under way'),
      );
    });

    take();

    expect(await runOf(delivery).result()).toMatchObject({ status: 'delivered' });
    expect(await stage.delivery(delivery.id)).toMatchObject({ status: 'delivered', failure_reason: null });
  });
});
