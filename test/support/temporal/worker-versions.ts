import type { Client } from '@temporalio/client';
import type { WorkerVersion } from '../../../runtime/configuration.js';
import { readTaskShare } from '../../../runtime/worker/deployment-version-monitor.js';
import { waitFor } from '../lib/wait-for.js';

export interface WorkerDeployment {
  version(buildId: string): WorkerVersion;
  /** Has Temporal send all tasks to workers of the version; resolves once it does. Absent: to unversioned workers. */
  makeCurrent(version?: WorkerVersion): Promise<void>;
  /** Has Temporal send a part of the tasks, in percent, to workers of the version; resolves once it does. */
  ramp(version: WorkerVersion, percentage: number): Promise<void>;
}

export function workerDeployment(client: Client, deploymentName = 'service'): WorkerDeployment {
  const { namespace } = client.options;
  const request = (version?: WorkerVersion) => ({
    namespace,
    deploymentName,
    buildId: version?.buildId ?? '',
    identity: 'operator',
  });
  return {
    version: (buildId) => ({ deploymentName, buildId }),
    // Refused until the server has heard of the version by its workers' polls.
    async makeCurrent(version) {
      await waitFor('the version is current', async () => {
        await client.workflowService.setWorkerDeploymentCurrentVersion(request(version));
        return (await readTaskShare(client, version)).share === 1;
      });
    },
    async ramp(version, percentage) {
      await waitFor('the version ramps', async () => {
        await client.workflowService.setWorkerDeploymentRampingVersion({ ...request(version), percentage });
        return (await readTaskShare(client, version)).share === percentage / 100;
      });
    },
  };
}
