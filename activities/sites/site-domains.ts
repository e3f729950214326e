import { endUnprovedClaims } from '../../domain/sites/domains/end-unproved-claims.js';
import { type Rechecked, recheckDomains } from '../../domain/sites/domains/recheck-domains.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { sitePasses } from './site-passes.js';

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'domainRecords'>;

export function siteDomainActivities({ db, clock, logger, domainRecords: records }: Dependencies) {
  return {
    /**
     * Looks up the proofs of the mapped domains that are due, and ends claims that were not proved in time. What is left when the time is over
     * is due in the next pass.
     */
    async recheckSiteDomains(): Promise<Rechecked & { ended: number }> {
      const pass = sitePasses(logger);
      const ended = await endUnprovedClaims({ db, clock }, pass('the claim of a domain was not ended'));
      const rechecked = await recheckDomains(
        { db, clock, records },
        pass('the look at a domain was not stored'),
      );
      return { ...rechecked, ended };
    },
  };
}
