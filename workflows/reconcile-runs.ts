import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';

const { reconcileRuns: reconcile } = proxyActivities<Pick<Activities, 'reconcileRuns'>>({
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 2 },
  summary: 'Compare active rows with their runs',
});

/** Mends what Terminate, or a lost server, left behind. Run by a schedule. */
export async function reconcileRuns(): ReturnType<Activities['reconcileRuns']> {
  return await reconcile();
}
