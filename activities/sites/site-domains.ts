import { heartbeat } from '@temporalio/activity';
import { type Rechecked, recheckDomains } from '../../domain/sites/domains/recheck-domains.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** Shorter than the activity may take, so that a pass ends by itself; the next one goes on. */
const passMs = 4 * 60_000;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'domainRecords'>;

export function siteDomainActivities({ db, clock, logger, domainRecords: records }: Dependencies) {
  return {
    /** Looks up the proofs of the mapped domains that are due. What is left when the time is over is due in the next pass. */
    async recheckSiteDomains(): Promise<Rechecked> {
      return recheckDomains(
        { db, clock, records },
        {
          until: Date.now() + passMs,
          beat: () => heartbeat(),
          onFailure({ workspaceId, siteId }, error) {
            const code = error instanceof Error ? error.name : 'unknown';
            logger.warn({ workspaceId, siteId, code }, 'the look at a domain was not stored');
          },
        },
      );
    },
  };
}
