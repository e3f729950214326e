import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import * as runs from './all-runs.js';
import { isRunType, versioning } from './contracts/runs.js';

for (const [name, run] of Object.entries<(...args: never[]) => Promise<unknown>>(runs)) {
  // Runs of schedules are short.
  if (isRunType(name) && versioning[name] !== 'PINNED') continue;
  // The server refuses the answers of workers without a version that name a behaviour.
  setWorkflowOptions(
    () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {}),
    run,
  );
}

export * from './all-runs.js';
