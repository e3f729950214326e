import type { Pass } from '../../domain/kernel/pass.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

interface OfSite {
  workspaceId: number;
  siteId: number;
}

/** Makes the passes of one slice, which share its time. @returns makes one, from what is logged of a row that fails */
export function sitePasses(
  logger: ActivityDependencies['logger'],
  isOver: () => boolean,
): (failed: string) => Pass<OfSite> {
  return (failed) => ({
    isOver,
    onFailure({ workspaceId, siteId }, error) {
      const code = error instanceof Error ? error.name : 'unknown';
      logger.warn({ workspaceId, siteId, code }, failed);
    },
  });
}
