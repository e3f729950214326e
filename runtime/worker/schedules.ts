import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { reconcilerScheduleId, taskQueues } from '../../workflows/contracts/runs.js';

const reconciler = {
  spec: { intervals: [{ every: '5m' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '5m' },
  action: {
    type: 'startWorkflow',
    workflowType: 'reconcileRuns',
    workflowId: reconcilerScheduleId,
    taskQueue: taskQueues.runs,
    workflowExecutionTimeout: '10m',
    staticSummary:
      'Compares what the database says is going on with its runs, and mends what was left behind',
  },
} satisfies Omit<ScheduleOptions, 'scheduleId'>;

/** Makes sure the reconciler's schedule is there, and as this version wants it. Every worker does. */
export async function ensureSchedules(client: Client): Promise<void> {
  try {
    await client.schedule.create({ scheduleId: reconcilerScheduleId, ...reconciler });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(reconcilerScheduleId).update(({ state }) => ({ ...reconciler, state }));
  }
}
