import {
  type Client,
  type IntervalSpec,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import {
  collectorScheduleId,
  dataRetentionScheduleId,
  dueCrawlsScheduleId,
  keysScheduleId,
  missedMessagesScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
  retentionScheduleId,
  siteDomainsScheduleId,
  taskQueues,
  textPricesScheduleId,
  waitingChatsScheduleId,
} from '../../workflows/contracts/runs.js';

interface Schedule {
  id: string;
  workflowType: string;
  interval: IntervalSpec;
  /** A start that was missed, because no worker was running, is made up for within this time. */
  catchupWindow: Duration;
  timeout: Duration;
  summary: string;
}

const schedules: readonly Schedule[] = [
  {
    id: reconcilerScheduleId,
    workflowType: 'reconcileRuns',
    interval: { every: '5m' },
    catchupWindow: '5m',
    timeout: '15m',
    summary: 'Compares active rows with their runs, and starts or pokes missing runs',
  },
  {
    id: receiptsScheduleId,
    workflowType: 'askForReceipts',
    interval: { every: '5m' },
    catchupWindow: '5m',
    timeout: '15m',
    summary: 'Pokes the deliveries whose receipts are overdue',
  },
  {
    id: keysScheduleId,
    workflowType: 'forgetOldKeys',
    interval: { every: '1h' },
    catchupWindow: '1h',
    timeout: '6h',
    summary: 'Deletes Idempotency-Keys that are older than a day',
  },
  {
    id: collectorScheduleId,
    workflowType: 'collectObjects',
    interval: { every: '1h', offset: '30m' },
    catchupWindow: '1h',
    timeout: '6h',
    summary: 'Deletes the bytes of deleted files, expired archives and abandoned uploads',
  },
  {
    id: missedMessagesScheduleId,
    workflowType: 'receiveMissedMessages',
    interval: { every: '2m' },
    catchupWindow: '1m',
    timeout: '15m',
    summary: 'Lists inbound messages at the carrier, and stores those whose webhook was missed',
  },
  {
    id: textPricesScheduleId,
    workflowType: 'storeTextPrices',
    // At 04:00 UTC, or later if no worker was running then.
    interval: { every: '24h', offset: '4h' },
    catchupWindow: '20h',
    timeout: '12h',
    summary: 'Lists messages at the carrier, and stores what they have cost',
  },
  {
    id: waitingChatsScheduleId,
    workflowType: 'tellOfWaitingChats',
    interval: { every: '2m', offset: '1m' },
    catchupWindow: '1m',
    timeout: '15m',
    summary: 'Tells the people whom workspaces have named that chats wait for a person',
  },
  {
    id: siteDomainsScheduleId,
    workflowType: 'recheckSiteDomains',
    interval: { every: '15m', offset: '7m' },
    catchupWindow: '15m',
    timeout: '15m',
    summary: 'Looks up the proofs of domains of sites, which lapse without them',
  },
  {
    id: dueCrawlsScheduleId,
    workflowType: 'startDueCrawls',
    interval: { every: '15m', offset: '12m' },
    catchupWindow: '15m',
    timeout: '15m',
    summary: 'Begins the crawls of sites that are crawled every day or week',
  },
  {
    id: retentionScheduleId,
    workflowType: 'forgetOldEvents',
    // At 03:00 UTC, or later if no worker was running then.
    interval: { every: '24h', offset: '3h' },
    catchupWindow: '20h',
    timeout: '12h',
    summary: 'Deletes events and their deliveries after 30 days',
  },
  {
    id: dataRetentionScheduleId,
    workflowType: 'forgetOldData',
    // At 02:00 UTC, or later if no worker was running then.
    interval: { every: '24h', offset: '2h' },
    catchupWindow: '20h',
    timeout: '12h',
    summary: 'Deletes old chats and files of workspaces that say how long they keep them',
  },
];

/** Creates the schedules, or updates them to this version's definitions; a pause is kept. Every worker does this. */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all(schedules.map((schedule) => ensureSchedule(client, schedule)));
}

async function ensureSchedule(client: Client, schedule: Schedule): Promise<void> {
  const { id, interval, catchupWindow } = schedule;
  const wanted: Omit<ScheduleOptions, 'scheduleId'> = {
    spec: { intervals: [interval] },
    // Each time starts a new run, unless the previous one is still open.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    action: {
      type: 'startWorkflow',
      workflowType: schedule.workflowType,
      workflowId: id,
      taskQueue: taskQueues.runs,
      workflowExecutionTimeout: schedule.timeout,
      staticSummary: schedule.summary,
    },
  };
  try {
    await client.schedule.create({ scheduleId: id, ...wanted });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(id).update(({ state }) => ({ ...wanted, state }));
  }
}
