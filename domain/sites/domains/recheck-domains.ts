import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { Pass } from '../../kernel/pass.js';
import { type DomainRecords, proofIn, recordNameOf } from './domain-records.js';
import { recordCheck } from './record-check.js';

/** Looked up at the same time. */
const atOnce = 20;
/** A pass that dies leaves the claims that it had taken to the next pass after this time. */
const takenForMs = 3_600_000;

export interface Rechecked {
  kept: number;
  failing: number;
  lapsed: number;
  /** Whose look could not be stored. */
  failed: number;
}

/**
 * Looks up the proofs of mapped domains that are due, until none is left or the time is over. Each look-up has its own time limit, and one
 * that fails stops no other.
 */
export async function recheckDomains(
  { db, clock, records }: Pick<ServiceContext, 'db' | 'clock'> & { records: DomainRecords },
  { isOver, onFailure }: Pass<SiteDomainRow>,
): Promise<Rechecked> {
  const counted: Rechecked = { kept: 0, failing: 0, lapsed: 0, failed: 0 };
  while (!isOver()) {
    const now = clock.now();
    const due = await db.identity.siteDomains.takeDue(now, new Date(now.getTime() + takenForMs), atOnce);
    await Promise.all(due.map((claim) => look(claim)));
    if (due.length < atOnce) break;
  }
  return counted;

  async function look(taken: SiteDomainRow): Promise<void> {
    try {
      const found = await records.textsOf(recordNameOf(taken.domain));
      const outcome = await db.inWorkspace(taken.workspaceId, async (tx) => {
        const claim = await db.identity.siteDomains.lock(taken.siteId, tx);
        if (claim?.challenge !== taken.challenge) return undefined;
        return recordCheck(db, tx, claim, proofIn(found, claim.challenge), clock.now());
      });
      if (outcome === 'kept' || outcome === 'failing' || outcome === 'lapsed') counted[outcome] += 1;
    } catch (error) {
      counted.failed += 1;
      onFailure(taken, error);
    }
  }
}
