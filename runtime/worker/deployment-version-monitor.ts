import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import type { WorkerVersion } from '../configuration.js';
import type { Logger } from '../logger.js';
import { withinDeadline } from '../temporal/connect.js';
import { failureCode } from '../temporal/failures.js';
import { ensureSchedules } from './schedules.js';

const usuallyEveryMs = 15_000;
const maxPauseMs = 60_000;

export interface ShareMetrics {
  /** @param share undefined while it is unknown */
  taskShare(share: number | undefined): void;
}

interface VersionWatchOptions {
  client: Client;
  logger: Logger;
  /** Undefined: the workers are unversioned. */
  version: WorkerVersion | undefined;
  metrics: ShareMetrics | undefined;
  everyMs?: number;
}

/**
 * Checks regularly whether Temporal sends tasks to the workers, logs changes, and creates the schedules after each
 * switch that makes the version current: schedules of another version could start runs that this one does not know. If
 * a check fails (missing permission, busy server), the workers continue and it is repeated.
 */
export async function monitorVersion(options: VersionWatchOptions, ended: AbortSignal): Promise<void> {
  const watch = new VersionWatch(options);
  while (!ended.aborted) {
    const pauseMs = await watch.look();
    await delay(pauseMs, undefined, { signal: ended }).catch(() => undefined);
  }
}

class VersionWatch {
  readonly #options: VersionWatchOptions;
  #told: number | 'unknown' | undefined;
  /** The switch after which the schedules were last created. */
  #madeSince: string | undefined;
  #failures = 0;

  constructor(options: VersionWatchOptions) {
    this.#options = options;
  }

  /** @returns the pause until the next look */
  async look(): Promise<number> {
    const found = await this.#read();
    const since = found === undefined ? this.#assumedSince() : found.currentSince;
    if (since !== undefined && since !== this.#madeSince && !(await this.#makeSchedules(since))) {
      this.#failures += 1;
      return Math.min(500 * 2 ** this.#failures, maxPauseMs);
    }
    return this.#options.everyMs ?? usuallyEveryMs;
  }

  /** While the server does not answer, nothing changes. Unversioned workers start as if there were no versions. */
  #assumedSince(): string | undefined {
    return this.#options.version === undefined ? (this.#madeSince ?? 'unknown') : this.#madeSince;
  }

  async #read(): Promise<TaskShare | undefined> {
    const { client, logger, version } = this.#options;
    const fields = { version: version ? `${version.deploymentName}:${version.buildId}` : 'unversioned' };
    try {
      const found = await readTaskShare(client, version);
      const { share } = found;
      if (this.#isNews(share)) {
        if (share === 0) logger.warn(fields, 'Temporal sends no tasks to this version of the worker');
        else logger.info({ ...fields, share }, 'Temporal sends tasks to this version of the worker');
      }
      return found;
    } catch (error) {
      if (this.#isNews(undefined)) {
        const code = failureCode(error);
        logger.warn({ ...fields, code }, 'it is not known whether Temporal sends tasks to this version');
      }
      return undefined;
    }
  }

  #isNews(share: number | undefined): boolean {
    this.#options.metrics?.taskShare(share);
    const before = this.#told;
    this.#told = share ?? 'unknown';
    return this.#told !== before;
  }

  async #makeSchedules(since: string): Promise<boolean> {
    try {
      await ensureSchedules(this.#options.client);
      this.#madeSince = since;
      this.#failures = 0;
      return true;
    } catch (error) {
      const code = failureCode(error);
      this.#options.logger.error({ code }, 'the schedules cannot be made; trying again');
      return false;
    }
  }
}

const answerWithinMs = 5_000;
/** `temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW` */
const workflowTasks = 1;

interface TaskShare {
  /** The share of all tasks, from 0 to 1. */
  share: number;
  /** Identifies the latest switch or ramp, if the version is current: it then gets all tasks except those of a ramp. */
  currentSince?: string;
}

/** @param version absent: unversioned workers */
export async function readTaskShare(client: Client, version: WorkerVersion | undefined): Promise<TaskShare> {
  // Temporal switches a deployment's version for all of its queues together.
  const { versioningInfo } = await withinDeadline(client, Date.now() + answerWithinMs, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueues.runs },
      taskQueueType: workflowTasks,
    }),
  );
  const ramp = (versioningInfo?.rampingVersionPercentage ?? 0) / 100;
  if (isSame(versioningInfo?.currentDeploymentVersion, version)) {
    return { share: 1 - ramp, currentSince: String(optionalTsToMs(versioningInfo?.updateTime) ?? 'ever') };
  }
  return { share: isSame(versioningInfo?.rampingDeploymentVersion, version) ? ramp : 0 };
}

/** Temporal represents unversioned workers by an absent version. */
function isSame(
  known: { deploymentName?: string | null; buildId?: string | null } | null | undefined,
  version: WorkerVersion | undefined,
): boolean {
  return (
    (known?.deploymentName ?? '') === (version?.deploymentName ?? '') &&
    (known?.buildId ?? '') === (version?.buildId ?? '')
  );
}
