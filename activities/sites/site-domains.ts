import { heartbeat } from '@temporalio/activity';
import type { SiteDomainRow } from '../../db/identity/site-domains.js';
import { endUnprovedClaims } from '../../domain/sites/domains/end-unproved-claims.js';
import { type Rechecked, recheckDomains } from '../../domain/sites/domains/recheck-domains.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** Shorter than the activity may take, so that a pass ends by itself; the next one goes on. */
const passMs = 4 * 60_000;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'domainRecords'>;

export function siteDomainActivities({ db, clock, logger, domainRecords: records }: Dependencies) {
  return {
    /**
     * Looks up the proofs of the mapped domains that are due, and ends claims that were not proved in time. What is left when the time is over
     * is due in the next pass.
     */
    async recheckSiteDomains(): Promise<Rechecked & { ended: number }> {
      const until = Date.now() + passMs;
      const pass = (failed: string) => ({
        until,
        beat: () => heartbeat(),
        onFailure({ workspaceId, siteId }: SiteDomainRow, error: unknown) {
          const code = error instanceof Error ? error.name : 'unknown';
          logger.warn({ workspaceId, siteId, code }, failed);
        },
      });
      const ended = await endUnprovedClaims({ db, clock }, pass('the claim of a domain was not ended'));
      const rechecked = await recheckDomains(
        { db, clock, records },
        pass('the look at a domain was not stored'),
      );
      return { ...rechecked, ended };
    },
  };
}
