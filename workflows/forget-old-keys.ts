import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';

const { forgetOldKeys: forget } = proxyActivities<Pick<Activities, 'forgetOldKeys'>>({
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '50m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 5 },
  summary: 'Delete Idempotency-Keys older than a day',
});

/** Deletes Idempotency-Keys and their stored answers after 24 hours. Started by a schedule. */
export async function forgetOldKeys(): ReturnType<Activities['forgetOldKeys']> {
  return await forget();
}
