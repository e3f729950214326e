import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import type { WorkerVersion } from '../configuration.js';
import { withinDeadline } from '../temporal/connect.js';

const answerWithinMs = 5_000;
/** `temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW` */
const workflowTasks = 1;

/** The tasks that Temporal sends to the workers of a version. */
export interface TaskShare {
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
  const isRamping = isSame(versioningInfo?.rampingDeploymentVersion, version);
  return { share: isRamping ? ramp : 0 };
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
