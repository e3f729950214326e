import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '@temporalio/activity';
import {
  type ActivityInterceptors,
  type NativeConnection,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import { webhookSlots } from '../../activities/events/webhooks.js';
import { type ActivityDependencies, createActivities } from '../../activities/index.js';
import { guardProviders } from '../../activities/kernel/guard-providers.js';
import type { Database } from '../../db/database.js';
import { formerTaskQueues, taskQueues } from '../../workflows/contracts/runs.js';
import type { WorkerVersion } from '../configuration.js';
import type { Logger } from '../logger.js';
import type { CollectionResult } from '../metrics.js';
import { workflowSources } from '../workflow-sources.js';
import { concealErrors } from './conceal-errors.js';
import { stepsApart } from './steps-apart.js';

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  /** Absent: the workers are unversioned. */
  version?: WorkerVersion | undefined;
  dependencies: ActivityDependencies;
  /** The database for files, jobs and crawls, of few connections; absent: the one of the other activities. */
  filesDb?: Database;
  /** The database for local activities; absent: the one of the other activities. */
  stepsDb?: Database;
  logger: Logger;
  metrics?: RepairMetrics;
  /** Path of an existing bundle; absent: the build's bundle, or else one created now. */
  workflowBundle?: string;
}

/**
 * Returns the workflow code that the build has bundled, next to the compiled workflows. If the sources run directly, as
 * in tests, the worker bundles them at its start.
 */
function workflowCode(
  { interceptors }: Pick<WorkerOptions, 'interceptors'>,
  codePath = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url)),
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors' | 'bundlerOptions'> {
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  const { workflowsPath, workflowInterceptorModules, preloadModules } = workflowSources;
  return {
    workflowsPath,
    interceptors: { ...interceptors, workflowModules: workflowInterceptorModules },
    bundlerOptions: { preloadModules },
  };
}

/**
 * Returns the options that make workers part of a version. Runs last for years, longer than the workers of any version,
 * so they move to the current version with their next task, unless `workflows/index.ts` pins their type.
 */
export function deploymentOf(
  version: WorkerVersion | undefined,
): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const versioning = { useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } as const;
  return version === undefined ? {} : { workerDeploymentOptions: { version, ...versioning } };
}

/**
 * Creates one worker per task queue, so that slow activities in one (a model, a carrier) do not take slots from the
 * others. Webhook deliveries have their workflows in their own queue as well: thousands of them at once do not delay
 * other runs, and the worker that processes a run can start its single activity at once.
 */
export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const { connection, namespace, version, dependencies, stepsDb, filesDb, logger, metrics } = options;
  // Once, so that all activities of this process share the breakers of the providers.
  const guarded = guardProviders(dependencies);
  const activities = createActivities(guarded);
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace,
    activities,
    interceptors: {
      activity: [concealErrors(logger), ...(metrics === undefined ? [] : [countRepairs(metrics)])],
    },
    shutdownGraceTime: '15s',
    shutdownForceTime: '20s',
    ...deploymentOf(version),
  };
  const steps = createActivities({ ...guarded, db: stepsDb ?? guarded.db });
  const runs = {
    ...common,
    activities: stepsApart(steps, activities),
    ...workflowCode(common, options.workflowBundle),
    taskQueue: taskQueues.runs,
    maxCachedWorkflows: 500,
    // The rest of a crowd waits at the server, where priorities count; here a call would wait behind all that are taken.
    maxConcurrentWorkflowTaskExecutions: 10,
    maxConcurrentLocalActivityExecutions: 20,
    maxConcurrentActivityTaskExecutions: 20,
  };
  const turns = { ...common, taskQueue: taskQueues.turns, maxConcurrentActivityTaskExecutions: 50 };
  const deliveries = { ...common, taskQueue: taskQueues.deliveries, maxConcurrentActivityTaskExecutions: 30 };
  // A queue and not only a priority, which does not free the slots that slow messages hold.
  const urgent = { ...common, taskQueue: taskQueues.urgent, maxConcurrentActivityTaskExecutions: 20 };
  const webhooks = {
    ...common,
    ...workflowCode(common, options.workflowBundle),
    maxCachedWorkflows: 200,
    // Its tasks share a thread with those of runs, which take their turns there: a crowd of webhooks must not fill it.
    maxConcurrentWorkflowTaskExecutions: 4,
    taskQueue: taskQueues.webhooks,
    maxConcurrentActivityTaskExecutions: webhookSlots,
  };
  // A file at a time: its process takes a core, which turns and requests need.
  const files = {
    ...common,
    activities: createActivities({ ...guarded, db: filesDb ?? guarded.db }),
    taskQueue: taskQueues.files,
    maxConcurrentActivityTaskExecutions: 1,
  };
  const jobs = { ...files, taskQueue: taskQueues.jobs, maxConcurrentActivityTaskExecutions: 6 };
  // Most of the time of a crawl is waiting for the site that it reads.
  const crawls = { ...files, taskQueue: taskQueues.crawls, maxConcurrentActivityTaskExecutions: 10 };
  const former = formerTaskQueues.map((taskQueue) => ({
    ...files,
    taskQueue,
    maxConcurrentActivityTaskExecutions: 2,
  }));
  return createAll([runs, turns, deliveries, urgent, webhooks, files, jobs, crawls, ...former]);
}

/**
 * Returns a class whose workers share the thread of their workflows: it holds Temporal's protocol and our code, some 40 MB. Two
 * workers have workflows, because runs of two queues cannot have slots of their own in one. The thread ends with the last of them,
 * or by `endThread`.
 */
function workersOfOneThread(): { WorkerOfOneThread: typeof Worker; endThread: () => Promise<void> } {
  let thread: Promise<WorkflowCreator> | undefined;
  let workers = 0;
  const WorkerOfOneThread = class extends Worker {
    protected static override createWorkflowCreator: typeof Worker.createWorkflowCreator = async (
      ...code
    ) => {
      workers += 1;
      thread ??= super.createWorkflowCreator(...code);
      const shared = await thread;
      return {
        createWorkflow: (options) => shared.createWorkflow(options),
        async destroy() {
          workers -= 1;
          if (workers === 0) await shared.destroy();
        },
      };
    };
  };
  return { WorkerOfOneThread, endThread: async () => (await thread)?.destroy() };
}

/** Creates all workers or none: a worker that was created but never runs would keep its connection open. */
async function createAll(options: readonly WorkerOptions[]): Promise<Worker[]> {
  const { WorkerOfOneThread, endThread } = workersOfOneThread();
  const created = await Promise.allSettled(options.map((worker) => WorkerOfOneThread.create(worker)));
  const workers = created.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = created.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return workers;
  await Promise.allSettled(workers.map((worker) => worker.runUntil(async () => {})));
  // Also of a worker that failed after it had got the thread.
  await endThread().catch(() => undefined);
  throw failed.reason;
}

export interface RepairMetrics {
  reconciled(outcome: string, count: number): void;
  collected(result: CollectionResult): void;
}

/** Counts, from the results of the reconciler and of the collector, what they found, repaired and deleted. */
export function countRepairs(metrics: RepairMetrics): (context: Context) => ActivityInterceptors {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const result = await next(input);
        if (info.activityType === 'collectObjects') metrics.collected(result as CollectionResult);
        if (info.activityType.startsWith('reconcile') && typeof result === 'object' && result !== null) {
          for (const [outcome, count] of Object.entries(result)) {
            if (typeof count === 'number' && count > 0) metrics.reconciled(outcome, count);
          }
        }
        return result;
      },
    },
  });
}
