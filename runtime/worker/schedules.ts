import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { reconcilerScheduleId, taskQueues } from '../../workflows/contracts/runs.js';

/** Makes sure the reconciler's schedule exists. Every worker does; the first one creates it. */
export async function ensureSchedules(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: reconcilerScheduleId,
      spec: { intervals: [{ every: '5m' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '5m' },
      action: {
        type: 'startWorkflow',
        workflowType: 'reconcileRuns',
        workflowId: reconcilerScheduleId,
        taskQueue: taskQueues.runs,
        workflowExecutionTimeout: '10m',
        staticSummary: 'Compares active assignments with their runs, and mends what was left behind',
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
