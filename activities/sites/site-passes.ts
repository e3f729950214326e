import { heartbeat } from '@temporalio/activity';
import type { Pass } from '../../domain/kernel/pass.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** Shorter than the activity may take, so that a pass ends by itself; the next one goes on. */
const passMs = 4 * 60_000;

interface OfSite {
  workspaceId: number;
  siteId: number;
}

/** Makes the passes of one attempt, which share its time. @returns makes one, from what is logged of a row that fails */
export function sitePasses(logger: ActivityDependencies['logger']): (failed: string) => Pass<OfSite> {
  const until = Date.now() + passMs;
  return (failed) => ({
    until,
    beat: () => heartbeat(),
    onFailure({ workspaceId, siteId }, error) {
      const code = error instanceof Error ? error.name : 'unknown';
      logger.warn({ workspaceId, siteId, code }, failed);
    },
  });
}
