import { heartbeat } from '@temporalio/activity';
import { type ActiveRun, listActiveRuns, mendRun } from '../domain/assignments/mend-runs.js';
import { workflowIdOf } from '../workflows/contracts/runs.js';
import type { ActivityDependencies } from './dependencies.js';

/** Compares what the database says is going on with the runs that should drive it. */
export function reconcilerActivities(dependencies: ActivityDependencies) {
  return {
    async reconcileRuns(): Promise<{ checked: number; restarted: number; concluded: number }> {
      const found = { checked: 0, restarted: 0, concluded: 0 };
      for (const workspaceId of await dependencies.db.identity.workspaces.listIds()) {
        for await (const run of listActiveRuns(dependencies, workspaceId)) {
          heartbeat();
          found.checked += 1;
          const mended = await mend(run);
          if (mended !== undefined) found[mended] += 1;
        }
      }
      return found;
    },
  };

  async function mend(run: ActiveRun): Promise<'restarted' | 'concluded' | undefined> {
    const status = await dependencies.runs.statusOf(workflowIdOf('runAssignment', run.assignmentUuid));
    if (status === 'running') return undefined;
    return await mendRun(dependencies, run, status);
  }
}
