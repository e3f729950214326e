import type { SiteDomainRow } from '../../../../db/identity/models/site-domain.js';
import { recordNameOf, recordValueOf } from '../../../../domain/sites/domains/domain-records.js';
import { endOfClaim } from '../../../../domain/sites/domains/end-unproved-claims.js';
import type { SiteDomainResponse } from './schemas.js';

export function presentSiteDomain(claim: SiteDomainRow): SiteDomainResponse {
  const { domain, challenge, provedAt, checkedAt, failure, failingSince, lapsedAt } = claim;
  return {
    domain,
    isMapped: provedAt !== null,
    recordName: recordNameOf(domain),
    recordValue: recordValueOf(challenge),
    provedAt: provedAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
    failure: failure as SiteDomainResponse['failure'],
    failingSince: failingSince?.toISOString() ?? null,
    lapsedAt: lapsedAt?.toISOString() ?? null,
    expiresAt: endOfClaim(claim)?.toISOString() ?? null,
    createdAt: claim.createdAt.toISOString(),
    updatedAt: claim.updatedAt.toISOString(),
  };
}
