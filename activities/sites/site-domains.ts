import { endUnprovedClaims } from '../../domain/sites/domains/end-unproved-claims.js';
import { type Rechecked, recheckDomains } from '../../domain/sites/domains/recheck-domains.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { beginSlice } from '../kernel/slice.js';
import { sitePasses } from './site-passes.js';

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'domainRecords'>;

export function siteDomainActivities({ db, clock, logger, domainRecords: records }: Dependencies) {
  return {
    /**
     * Looks up the proofs of the mapped domains that are due, and ends claims that were not proved in time.
     */
    async recheckSiteDomains(): Promise<Rechecked & { ended: number } & Sliced> {
      const isOver = beginSlice();
      const pass = sitePasses(logger, isOver);
      const ended = await endUnprovedClaims({ db, clock }, pass('the claim of a domain was not ended'));
      const rechecked = await recheckDomains(
        { db, clock, records },
        pass('the look at a domain was not stored'),
      );
      return { ...rechecked, ended, ...(isOver() ? { next: true } : {}) };
    },
  };
}
