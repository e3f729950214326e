import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import * as workflows from './all-runs.js';
import { isRunType, runs } from './contracts/runs.js';

for (const [name, workflow] of Object.entries<(...args: never[]) => Promise<unknown>>(workflows)) {
  // Runs of schedules are short.
  if (isRunType(name) && runs[name].versioning !== 'PINNED') continue;
  // The server refuses the answers of workers without a version that name a behaviour.
  setWorkflowOptions(
    () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {}),
    workflow,
  );
}

export * from './all-runs.js';
