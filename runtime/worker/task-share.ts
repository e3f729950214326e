import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import type { WorkerVersion } from '../configuration.js';
import { withinDeadline } from '../temporal/connect.js';

const answerWithinMs = 5_000;
/** `temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW` */
const workflowTasks = 1;

/** What Temporal sends to the workers of a version. */
export interface TaskShare {
  /** The part of all tasks, from 0 to 1. */
  share: number;
  /** A mark of the latest switch or ramp, where the version is current: all tasks go to it but those of a ramp. */
  currentSince?: string;
}

/** @param version absent: unversioned workers */
export async function readTaskShare(client: Client, version: WorkerVersion | undefined): Promise<TaskShare> {
  // A deployment's versions are switched for all of its queues together.
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

/** Temporal writes unversioned workers as no version. */
function isSame(
  known: { deploymentName?: string | null; buildId?: string | null } | null | undefined,
  version: WorkerVersion | undefined,
): boolean {
  return (
    (known?.deploymentName ?? '') === (version?.deploymentName ?? '') &&
    (known?.buildId ?? '') === (version?.buildId ?? '')
  );
}
