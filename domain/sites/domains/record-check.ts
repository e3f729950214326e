import type { Database } from '../../../db/database.js';
import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import type { Tx } from '../../../db/tx.js';
import { notifyAdmins } from '../../events/event-rules/notify-admins.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { ProofFailure } from './domain-records.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const checkedEveryMs = dayMs;
const failingCheckedEveryMs = 6 * hourMs;
/** How long a mapped domain may be without its proof. A resolver that is away proves less than a record that is gone. */
export const lapsesAfterMs: Readonly<Record<ProofFailure, number>> = {
  record_missing: 3 * dayMs,
  record_differs: 3 * dayMs,
  dns_unavailable: 14 * dayMs,
};

/**
 * Stores what a look at the proof of a locked claim has shown. A mapped domain whose proof is gone fails first, and lapses
 * after some days; admins are told by mail of both.
 */
export async function recordCheck(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  claim: SiteDomainRow,
  found: 'proved' | ProofFailure,
  now: Date,
): Promise<'kept' | 'failing' | 'lapsed' | 'unproved'> {
  const { siteDomains } = identity;
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (claim.provedAt === null) {
    await siteDomains.patch(claim.id, { checkedAt: now, failure: found === 'proved' ? null : found }, tx);
    return 'unproved';
  }
  if (found === 'proved') {
    const values = { checkedAt: now, failure: null, failingSince: null, checkAt: after(checkedEveryMs) };
    await siteDomains.patch(claim.id, values, tx);
    return 'kept';
  }
  const failingSince = claim.failingSince ?? now;
  if (now.getTime() - failingSince.getTime() >= lapsesAfterMs[found]) {
    await lapse({ identity }, tx, claim, found, now);
    return 'lapsed';
  }
  const values = { checkedAt: now, failure: found, failingSince, checkAt: after(failingCheckedEveryMs) };
  await siteDomains.patch(claim.id, values, tx);
  if (claim.failingSince === null) {
    await notifyAdmins(tx, [{ siteId: claim.siteId, reason: 'site_domain_failing' }], now);
  }
  return 'failing';
}

/** Ends the mapping of a locked claim, whose site has its address at the service again. */
export async function lapse(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  claim: SiteDomainRow,
  failure: ProofFailure,
  now: Date,
): Promise<void> {
  const ended = { provedAt: null, failingSince: null, lapsedAt: now, checkAt: null };
  await identity.siteDomains.patch(claim.id, { ...ended, checkedAt: now, failure, updatedAt: now }, tx);
  recordAuditOfNobody(tx, { now }, 'site_domain:lapsed', {
    subject: ['site', claim.siteId],
    names: [failure],
  });
  await notifyAdmins(tx, [{ siteId: claim.siteId, reason: 'site_domain_lapsed' }], now);
}
