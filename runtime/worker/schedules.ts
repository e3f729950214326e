import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import {
  keysScheduleId,
  missedMessagesScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
  retentionScheduleId,
  taskQueues,
} from '../../workflows/contracts/runs.js';

/** Each time starts a new run, unless the previous one is still open. */
const oneAtATime = { overlap: ScheduleOverlapPolicy.SKIP };

const schedules: readonly ScheduleOptions[] = [
  {
    scheduleId: reconcilerScheduleId,
    spec: { intervals: [{ every: '5m' }] },
    policies: { ...oneAtATime, catchupWindow: '5m' },
    action: {
      type: 'startWorkflow',
      workflowType: 'reconcileRuns',
      workflowId: reconcilerScheduleId,
      taskQueue: taskQueues.runs,
      workflowExecutionTimeout: '15m',
      staticSummary:
        'Compares what the database says is going on with its runs, and mends what was left behind',
    },
  },
  {
    scheduleId: receiptsScheduleId,
    spec: { intervals: [{ every: '5m' }] },
    policies: { ...oneAtATime, catchupWindow: '5m' },
    action: {
      type: 'startWorkflow',
      workflowType: 'askForReceipts',
      workflowId: receiptsScheduleId,
      taskQueue: taskQueues.runs,
      workflowExecutionTimeout: '15m',
      staticSummary: 'Has the carrier asked for receipts that are late',
    },
  },
  {
    scheduleId: keysScheduleId,
    spec: { intervals: [{ every: '1h' }] },
    policies: { ...oneAtATime, catchupWindow: '1h' },
    action: {
      type: 'startWorkflow',
      workflowType: 'forgetOldKeys',
      workflowId: keysScheduleId,
      taskQueue: taskQueues.runs,
      workflowExecutionTimeout: '6h',
      staticSummary: 'Deletes Idempotency-Keys that are older than a day',
    },
  },
  {
    scheduleId: missedMessagesScheduleId,
    spec: { intervals: [{ every: '2m' }] },
    policies: { ...oneAtATime, catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: 'receiveMissedMessages',
      workflowId: missedMessagesScheduleId,
      taskQueue: taskQueues.runs,
      workflowExecutionTimeout: '15m',
      staticSummary: 'Lists what came in at the carrier, and takes what its webhook did not bring',
    },
  },
  {
    scheduleId: retentionScheduleId,
    // At 03:00 UTC, or later if no worker was running then.
    spec: { intervals: [{ every: '24h', offset: '3h' }] },
    policies: { ...oneAtATime, catchupWindow: '20h' },
    action: {
      type: 'startWorkflow',
      workflowType: 'forgetOldEvents',
      workflowId: retentionScheduleId,
      taskQueue: taskQueues.runs,
      workflowExecutionTimeout: '12h',
      staticSummary: 'Deletes events, and what became of them, once they have been kept for 30 days',
    },
  },
];

/** Creates the schedules, or updates them to this version's definitions; a pause is kept. Every worker does this. */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all(schedules.map((schedule) => ensureSchedule(client, schedule)));
}

async function ensureSchedule(client: Client, { scheduleId, ...wanted }: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create({ scheduleId, ...wanted });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...wanted, state }));
  }
}
