import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';
import { untilThePassIsOver } from './passes.js';

const { receiveMissedMessages: receive } = proxyActivities<Pick<Activities, 'receiveMissedMessages'>>({
  taskQueue: taskQueues.deliveries,
  startToCloseTimeout: '6m',
  heartbeatTimeout: '1m',
  ...untilThePassIsOver,
  summary: 'List what the carrier received, and take what is missing',
});

/** Takes the messages that came in at the carrier and that its webhook did not bring. Run by a schedule. */
export async function receiveMissedMessages(
  input: Parameters<Activities['receiveMissedMessages']>[0] = {},
): ReturnType<Activities['receiveMissedMessages']> {
  return await receive(input);
}
