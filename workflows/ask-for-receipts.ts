import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';
import { untilThePassIsOver } from './passes.js';

const { askForReceipts: ask } = proxyActivities<Pick<Activities, 'askForReceipts'>>({
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '1m',
  ...untilThePassIsOver,
  summary: 'Wake the deliveries whose receipts are late',
});

/** Has the carrier asked for receipts that are late. Run by a schedule. */
export async function askForReceipts(): ReturnType<Activities['askForReceipts']> {
  return await ask();
}
