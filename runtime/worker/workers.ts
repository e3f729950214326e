import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { webhookSlots } from '../../activities/events/webhooks.js';
import { type ActivityDependencies, createActivities } from '../../activities/index.js';
import type { Database } from '../../db/database.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import type { WorkerVersion } from '../configuration.js';
import type { Logger } from '../logger.js';
import { concealErrors } from './conceal-errors.js';
import { countRepairs, type RepairMetrics } from './count-repairs.js';
import { stepsApart } from './steps-apart.js';

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  /** Absent: the workers are unversioned. */
  version?: WorkerVersion;
  dependencies: ActivityDependencies;
  /** What local activities use of the database; absent: what all others do. */
  stepsDb?: Database;
  logger: Logger;
  /** Absent: nothing is counted. */
  metrics?: RepairMetrics;
  /** File of a bundle made before; absent: the build's, else it is made now. */
  workflowBundle?: string;
}

/**
 * Workflow code as the build bundled it, beside the compiled workflows. Where the sources themselves run, as in
 * tests, it is bundled at the start of the worker.
 */
function workflowCode(
  codePath = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url)),
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  return { workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)) };
}

/**
 * What makes workers those of a version. Runs last for years, longer than any version's workers: they move to the version that
 * is current with their next task.
 */
function deploymentOf(version: WorkerVersion | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === undefined) return {};
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/**
 * One worker for each task queue, so that what is slow in one (a model, a carrier) takes nobody else's slots. Deliveries of
 * events have their runs in their own queue as well: thousands at once keep no other run waiting, and the one activity of
 * each is begun by the worker that the run asks for it.
 */
export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection: options.connection,
    namespace: options.namespace,
    activities: createActivities(options.dependencies),
    interceptors: {
      activity: [
        concealErrors(options.logger),
        ...(options.metrics === undefined ? [] : [countRepairs(options.metrics)]),
      ],
    },
    shutdownGraceTime: '15s',
    shutdownForceTime: '20s',
    ...deploymentOf(options.version),
  };
  const { dependencies, stepsDb } = options;
  const steps = createActivities({ ...dependencies, db: stepsDb ?? dependencies.db });
  const runs = {
    ...common,
    activities: stepsApart(steps, createActivities(dependencies)),
    ...workflowCode(options.workflowBundle),
    taskQueue: taskQueues.runs,
    maxCachedWorkflows: 500,
    maxConcurrentLocalActivityExecutions: 20,
    maxConcurrentActivityTaskExecutions: 20,
  };
  const turns = { ...common, taskQueue: taskQueues.turns, maxConcurrentActivityTaskExecutions: 50 };
  const deliveries = { ...common, taskQueue: taskQueues.deliveries, maxConcurrentActivityTaskExecutions: 30 };
  const codes = { ...common, taskQueue: taskQueues.codes, maxConcurrentActivityTaskExecutions: 10 };
  const webhooks = {
    ...common,
    ...workflowCode(options.workflowBundle),
    maxCachedWorkflows: 200,
    taskQueue: taskQueues.webhooks,
    maxConcurrentActivityTaskExecutions: webhookSlots.maxTotal,
  };
  return createAll([runs, turns, deliveries, codes, webhooks]);
}

/** All of them, or none: one that was created and never runs would keep its connection. */
async function createAll(options: readonly WorkerOptions[]): Promise<Worker[]> {
  const created = await Promise.allSettled(options.map((worker) => Worker.create(worker)));
  const workers = created.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = created.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return workers;
  await Promise.allSettled(workers.map((worker) => worker.runUntil(async () => {})));
  throw failed.reason;
}
