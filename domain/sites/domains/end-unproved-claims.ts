import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { Pass } from '../../kernel/pass.js';

const dayMs = 24 * 3_600_000;
/** How long a claim may be without a proof: a challenge that stands in a forgotten record proves nothing for ever. */
export const unprovedForMs = 30 * dayMs;

const atOnce = 20;

/** When a claim ends, unless it is proved before; null: it is proved. */
export function endOfClaim({ provedAt, lapsedAt, createdAt }: SiteDomainRow): Date | null {
  return provedAt === null ? new Date((lapsedAt ?? createdAt).getTime() + unprovedForMs) : null;
}

/**
 * Removes the claims that were not proved in time, the oldest first, until none is left or the time is over. @returns how many were removed
 */
export async function endUnprovedClaims(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  { isOver, onFailure }: Pass<SiteDomainRow>,
): Promise<number> {
  let ended = 0;
  let after: SiteDomainRow | undefined;
  while (!isOver()) {
    const by = new Date(clock.now().getTime() - unprovedForMs);
    const old = await db.identity.siteDomains.selectUnproved({ by, after, most: atOnce });
    for (const claim of old) {
      try {
        if (await end(claim, by)) ended += 1;
      } catch (error) {
        onFailure(claim, error);
      }
    }
    after = old.at(-1);
    if (old.length < atOnce) break;
  }
  return ended;

  /** It may have been proved, given back or made anew since. */
  async function end({ workspaceId, siteId, challenge }: SiteDomainRow, by: Date): Promise<boolean> {
    return db.inWorkspace(workspaceId, async (tx) => {
      const claim = await db.identity.siteDomains.lock(siteId, tx);
      if (claim?.challenge !== challenge || claim.provedAt !== null) return false;
      if ((claim.lapsedAt ?? claim.createdAt) > by) return false;
      await db.identity.siteDomains.remove(siteId, tx);
      recordAuditOfNobody(tx, { now: clock.now() }, 'site_domain:expired', { subject: ['site', siteId] });
      return true;
    });
  }
}
