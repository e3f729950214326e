import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';
import { untilThePassIsOver } from './passes.js';

const { askForReceipts: ask } = proxyActivities<Pick<Activities, 'askForReceipts'>>({
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '1m',
  ...untilThePassIsOver,
  summary: 'Poke the deliveries whose receipts are overdue',
});

/** Pokes the deliveries whose receipts are overdue. Started by a schedule. */
export async function askForReceipts(): ReturnType<Activities['askForReceipts']> {
  return await ask();
}
