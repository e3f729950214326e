import { type PageRef, publishDuePage } from '../../domain/sites/pages/publish-due-page.js';
import type { PublicationStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** The database step of `publishPage`: short and idempotent. */
export function pageActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock'>) {
  return {
    publishDuePage: (ref: PageRef): Promise<PublicationStep> => publishDuePage(dependencies, ref),
  };
}
