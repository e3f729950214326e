import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Retention } from '../../../activities/kernel/retention.js';
import { retentionScheduleId, taskQueues } from '../../../workflows/contracts/runs.js';
import { days, hours } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { useWebhookSystem } from '../../support/webhooks/use-webhook-system.js';
import { stageWebhooks } from '../../support/webhooks/webhook-stage.js';
import { createWorkspace } from '../../support/workspace/factories.js';

/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;

const clock = { now: () => new Date(Date.now() + aheadMs) };
const { system, receiver } = useWebhookSystem({ clock });

function forget(): Promise<Retention> {
  return system.client.workflow.execute('forgetOldEvents', {
    workflowId: `forget-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
}

describe('the forgetOldEvents run', () => {
  it('deletes delivered events after 30 days and not before', async () => {
    const stage = await stageWebhooks(await createWorkspace(system.database), { url: receiver.url() });
    const [delivery] = await stage.happen();
    await waitFor('it is delivered', async () => system.run('deliverWebhook', delivery?.uuid ?? '').result());

    aheadMs = days(30) - hours(1);
    expect(await forget()).toMatchObject({ deliveries: 0, events: 0, failed: 0 });
    expect(await stage.deliveries()).toHaveLength(1);

    aheadMs = days(30) + hours(1);
    expect(await forget()).toMatchObject({ deliveries: 1, events: 1, rules: 0, endpoints: 0, failed: 0 });
    expect(await stage.deliveries()).toEqual([]);
    expect(await stage.attempts(delivery?.id ?? 0)).toEqual([]);
  });

  it('is scheduled once a day, one run at a time', async () => {
    const { action, policies, spec } = await system.client.schedule.getHandle(retentionScheduleId).describe();

    expect(action).toMatchObject({ workflowType: 'forgetOldEvents', taskQueue: taskQueues.runs });
    expect(spec.intervals).toMatchObject([{ every: days(1), offset: hours(3) }]);
    expect(policies.overlap).toBe('SKIP');
  });

  it('is started by its schedule', async () => {
    await system.client.schedule.getHandle(retentionScheduleId).trigger();

    await waitFor('it is over', async () => {
      const query = `TemporalScheduledById = '${retentionScheduleId}' and ExecutionStatus = 'Completed'`;
      for await (const { type } of system.client.workflow.list({ query })) return type === 'forgetOldEvents';
      return false;
    });
  });
});
