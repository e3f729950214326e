import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { taskQueues } from './contracts/runs.js';
import { untilThePassIsOver } from './passes.js';

const { reconcileRuns: reconcile } = proxyActivities<Pick<Activities, 'reconcileRuns'>>({
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '1m',
  ...untilThePassIsOver,
  summary: 'Compare active rows with their runs',
});

/** Starts or pokes runs that are missing, for example after Terminate. Started by a schedule. */
export async function reconcileRuns(): ReturnType<Activities['reconcileRuns']> {
  return await reconcile();
}
