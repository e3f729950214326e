import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { priorities, taskQueues } from './contracts/runs.js';

const ofPasses = { taskQueue: taskQueues.jobs, priority: { priorityKey: priorities.forMany } } as const;

/**
 * Retries through an outage, because a failed run would need an operator; the schedule skips its next runs meanwhile.
 */
const untilThePassIsOver = {
  heartbeatTimeout: '1m',
  scheduleToCloseTimeout: '15m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;

const { reconcileRuns: reconcile } = proxyActivities<Pick<Activities, 'reconcileRuns'>>({
  ...ofPasses,
  startToCloseTimeout: '5m',
  ...untilThePassIsOver,
  summary: 'Compare active rows with their runs',
});

/** Starts or pokes runs that are missing, for example after Terminate. */
export async function reconcileRuns(): ReturnType<Activities['reconcileRuns']> {
  return await reconcile();
}

const { askForReceipts: ask } = proxyActivities<Pick<Activities, 'askForReceipts'>>({
  ...ofPasses,
  startToCloseTimeout: '5m',
  ...untilThePassIsOver,
  summary: 'Poke the deliveries whose receipts are overdue',
});

export async function askForReceipts(): ReturnType<Activities['askForReceipts']> {
  return await ask();
}

const { receiveMissedMessages: receive } = proxyActivities<Pick<Activities, 'receiveMissedMessages'>>({
  ...ofPasses,
  startToCloseTimeout: '6m',
  ...untilThePassIsOver,
  summary: 'List messages at the carrier and receive missing ones',
});

/** Stores inbound messages whose webhook never arrived, from the carrier's list. */
export async function receiveMissedMessages(
  input: Parameters<Activities['receiveMissedMessages']>[0] = {},
): ReturnType<Activities['receiveMissedMessages']> {
  return await receive(input);
}

const { tellOfWaitingChats: tell } = proxyActivities<Pick<Activities, 'tellOfWaitingChats'>>({
  ...ofPasses,
  startToCloseTimeout: '5m',
  ...untilThePassIsOver,
  summary: 'Look at the chats that wait for a person',
});

/** Writes the notices and events that chats wait for a person. */
export async function tellOfWaitingChats(): ReturnType<Activities['tellOfWaitingChats']> {
  return await tell();
}

const { forgetOldKeys: forgetKeys } = proxyActivities<Pick<Activities, 'forgetOldKeys'>>({
  ...ofPasses,
  startToCloseTimeout: '50m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 5 },
  summary: 'Delete Idempotency-Keys older than a day',
});

export async function forgetOldKeys(): ReturnType<Activities['forgetOldKeys']> {
  return await forgetKeys();
}

const { collectObjects: collect } = proxyActivities<Pick<Activities, 'collectObjects'>>({
  ...ofPasses,
  startToCloseTimeout: '50m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 5 },
  summary: 'Delete the bytes of deleted files and abandoned uploads',
});

export async function collectObjects(): ReturnType<Activities['collectObjects']> {
  return await collect();
}

const { recheckSiteDomains: recheck } = proxyActivities<Pick<Activities, 'recheckSiteDomains'>>({
  ...ofPasses,
  startToCloseTimeout: '5m',
  ...untilThePassIsOver,
  summary: 'Look up the proofs of domains of sites',
});

/** Looks up the proofs of mapped domains again, which lapse without them. */
export async function recheckSiteDomains(): ReturnType<Activities['recheckSiteDomains']> {
  return await recheck();
}

const { startDueCrawls: startCrawls } = proxyActivities<Pick<Activities, 'startDueCrawls'>>({
  ...ofPasses,
  startToCloseTimeout: '5m',
  ...untilThePassIsOver,
  summary: 'Begin the crawls that are due',
});

/** Begins the crawls of sites that are crawled every day or week. */
export async function startDueCrawls(): ReturnType<Activities['startDueCrawls']> {
  return await startCrawls();
}

const { forgetOldEvents: forgetEvents } = proxyActivities<Pick<Activities, 'forgetOldEvents'>>({
  ...ofPasses,
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  summary: 'Delete events and deliveries older than 30 days',
});

export async function forgetOldEvents(): ReturnType<Activities['forgetOldEvents']> {
  return await forgetEvents();
}

const { forgetOldData: forgetData } = proxyActivities<Pick<Activities, 'forgetOldData'>>({
  ...ofPasses,
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  summary: 'Delete old chats and files of workspaces that say how long they keep them',
});

export async function forgetOldData(): ReturnType<Activities['forgetOldData']> {
  return await forgetData();
}
