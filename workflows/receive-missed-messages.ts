import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';
import { untilThePassIsOver } from './passes.js';

const { receiveMissedMessages: receive } = proxyActivities<Pick<Activities, 'receiveMissedMessages'>>({
  taskQueue: taskQueues.deliveries,
  startToCloseTimeout: '6m',
  heartbeatTimeout: '1m',
  ...untilThePassIsOver,
  summary: 'List messages at the carrier and receive missing ones',
});

/** Stores inbound messages whose webhook never arrived, from the carrier's list. Started by a schedule. */
export async function receiveMissedMessages(
  input: Parameters<Activities['receiveMissedMessages']>[0] = {},
): ReturnType<Activities['receiveMissedMessages']> {
  return await receive(input);
}
