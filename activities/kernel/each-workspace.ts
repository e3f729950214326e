import { activityInfo, heartbeat } from '@temporalio/activity';
import type { ActivityDependencies } from './dependencies.js';

/**
 * Works through all workspaces, or the given ones, by id. A retry continues with the workspace of the last heartbeat. A failing workspace is
 * counted and logged, and does not stop the rest.
 * @param work calls `stop` if the rest has to wait for the next pass
 */
export async function eachWorkspace(
  { db, logger }: Pick<ActivityDependencies, 'db' | 'logger'>,
  found: { failed: number },
  failure: string,
  work: (workspaceId: number, stop: () => void) => Promise<void>,
  workspaceIds?: readonly number[],
): Promise<void> {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const from: number = activityInfo().heartbeatDetails ?? 0;
  for (const workspaceId of workspaceIds ?? (await db.identity.workspaces.listIds())) {
    if (workspaceId < from) continue;
    heartbeat(workspaceId);
    try {
      await work(workspaceId, stop);
    } catch (error) {
      found.failed += 1;
      logger.warn({ workspaceId, code: error instanceof Error ? error.name : 'unknown' }, failure);
    }
    if (isStopped) return;
  }
}
