import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';

const { forgetOldEvents: forget } = proxyActivities<Pick<Activities, 'forgetOldEvents'>>({
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  summary: 'Delete events and deliveries older than 30 days',
});

/** Deletes events and their deliveries after 30 days. Started by a schedule. */
export async function forgetOldEvents(): ReturnType<Activities['forgetOldEvents']> {
  return await forget();
}
