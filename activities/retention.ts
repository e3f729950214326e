import { activityInfo, heartbeat } from '@temporalio/activity';
import { type Forgotten, forgetOldEvents } from '../domain/webhook-deliveries/forget-old-events.js';
import type { ActivityDependencies } from './dependencies.js';

export interface Retention extends Forgotten {
  /** Workspaces of which something could not be deleted this time; the log says why. */
  failed: number;
}

/** Deletes what has been kept long enough. */
export function retentionActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger'>) {
  const { db, logger } = dependencies;

  return {
    /** Walks through the workspaces; a repeat goes on with the one that the last heartbeat named. */
    async forgetOldEvents(): Promise<Retention> {
      const found = { deliveries: 0, events: 0, secrets: 0, notices: 0, rules: 0, endpoints: 0, failed: 0 };
      const from: number = activityInfo().heartbeatDetails ?? 0;
      for (const workspaceId of await db.identity.workspaces.listIds()) {
        if (workspaceId < from) continue;
        heartbeat(workspaceId);
        try {
          const forgotten = await forgetOldEvents(dependencies, workspaceId, () => heartbeat(workspaceId));
          add(found, forgotten);
        } catch (error) {
          // One that fails keeps nobody from the others.
          found.failed += 1;
          logger.warn(
            { workspaceId, code: error instanceof Error ? error.name : 'unknown' },
            'not forgotten',
          );
        }
      }
      return found;
    },
  };
}

function add(sum: Retention, forgotten: Forgotten): void {
  sum.deliveries += forgotten.deliveries;
  sum.events += forgotten.events;
  sum.secrets += forgotten.secrets;
  sum.notices += forgotten.notices;
  sum.rules += forgotten.rules;
  sum.endpoints += forgotten.endpoints;
}
