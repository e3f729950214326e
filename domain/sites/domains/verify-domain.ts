import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext, ServiceContext } from '../../kernel/context.js';
import { Conflict, NotFound, TooManyRequests } from '../../lib/errors.js';
import { requireSite } from '../sites/require-site.js';
import { type DomainRecords, proofIn, recordNameOf, type TextRecords } from './domain-records.js';
import { checkedEveryMs, lapse, recordCheck } from './record-check.js';

export interface DomainsContext extends CommandContext {
  records: DomainRecords;
}

/** A domain is looked at once within this time. */
const everyMs = 10_000;

/**
 * Looks up the proof of the domain of a site, outside of any transaction, and maps the domain if it is there. That it is not is no error:
 * `failure` says why. A mapped domain of somebody else, whose proof stands in the same record, is theirs; otherwise it
 * lapses.
 * @throws NotFound, Forbidden, TooManyRequests, Conflict `domain_taken`
 */
export async function verifyDomain(context: DomainsContext, siteId: number): Promise<SiteDomainRow> {
  const { db, clock, actor, records } = context;
  actor.require('sites:write');
  const begun = await db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireSite(tx, siteId);
    const claim = await db.identity.siteDomains.lock(siteId, tx);
    if (claim === undefined) throw new NotFound('Domain');
    const now = clock.now();
    const since = now.getTime() - (claim.checkedAt?.getTime() ?? 0);
    if (since >= 0 && since < everyMs) {
      throw new TooManyRequests('The domain was looked at just now.', Math.ceil((everyMs - since) / 1_000));
    }
    await db.identity.siteDomains.patch(claim.id, { checkedAt: now }, tx);
    return claim;
  });

  const found = await records.textsOf(recordNameOf(begun.domain));

  if (proofIn(found, begun.challenge) === 'proved') await endOthers(context, begun, found);
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      const now = clock.now();
      const claim = await db.identity.siteDomains.lock(siteId, tx);
      if (claim?.challenge !== begun.challenge) throw new NotFound('Domain');
      const proof = proofIn(found, claim.challenge);
      if (proof === 'proved' && claim.provedAt === null) {
        const checkAt = new Date(now.getTime() + checkedEveryMs);
        const mapped = { provedAt: now, lapsedAt: null, failure: null, failingSince: null };
        await db.identity.siteDomains.patch(
          claim.id,
          { ...mapped, checkedAt: now, checkAt, updatedAt: now },
          tx,
        );
        recordAudit(tx, context, 'site_domain:proved', { subject: ['site', siteId] });
      } else await recordCheck(db, tx, claim, proof, now);
      const stored = await db.identity.siteDomains.lock(siteId, tx);
      if (stored === undefined) throw new Error('a locked claim is gone');
      return stored;
    });
  } catch (error) {
    // Somebody else has proved it between the look at others and this one.
    if (violatedConstraint(error) !== 'site_domains_mapped') throw error;
    throw taken();
  }
}

/** The mapping of another site ends if its proof is gone. @throws Conflict `domain_taken` if it stands */
async function endOthers(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  claim: SiteDomainRow,
  found: TextRecords,
): Promise<void> {
  const other = await db.identity.siteDomains.findMapped(claim.domain);
  if (other === undefined || other.id === claim.id) return;
  const proof = proofIn(found, other.challenge);
  if (proof === 'proved') throw taken();
  await db.inWorkspace(other.workspaceId, async (tx) => {
    const locked = await db.identity.siteDomains.lock(other.siteId, tx);
    if (locked?.challenge !== other.challenge || locked.provedAt === null) return;
    await lapse(db, tx, locked, proof, clock.now());
  });
}

function taken(): Conflict {
  return new Conflict('domain_taken', 'The domain maps to another site, whose proof stands in the DNS.');
}
