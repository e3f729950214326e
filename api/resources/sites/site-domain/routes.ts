import type { SiteDomainRow } from '../../../../db/identity/models/site-domain.js';
import { claimDomain, getDomain, releaseDomain } from '../../../../domain/sites/domains/claim-domain.js';
import { recordNameOf, recordValueOf } from '../../../../domain/sites/domains/domain-records.js';
import { endOfClaim } from '../../../../domain/sites/domains/end-unproved-claims.js';
import { verifyDomain } from '../../../../domain/sites/domains/verify-domain.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { editors } from '../access.js';
import { ClaimDomainRequest, SiteDomainResponse } from './schemas.js';

const domain = resource({
  tag: 'Sites',
  path: '/w/{workspace_uuid}/sites/{site_id}/domain',
  read: editors.read,
  write: editors.write,
});

const get = domain.get({
  operationId: 'getSiteDomain',
  summary: 'Get the domain of a site',
  description: 'The domain that the site claims, with the record that proves it; 404 without one.',
  response: SiteDomainResponse,
  handler: async ({ context, params }) => presentSiteDomain(await getDomain(context, params.site_id)),
});

const claim = domain.update({
  operationId: 'claimSiteDomain',
  summary: 'Claim a domain for a site',
  description:
    'In place of the one that the site had. The domain leads to the site once it is proved: put `recordValue` into a TXT record at `recordName`, and verify it. Until then others may claim it as well. The record has to stay: it is looked up every day, and after three days without it the domain leads to the site no more. A claim that is not proved within thirty days ends (`expiresAt`).',
  body: ClaimDomainRequest,
  example: { body: { domain: demo.domain } },
  response: SiteDomainResponse,
  errors: { 409: 'Another site of the workspace claims the domain (`domain_claimed`).' },
  handler: async ({ context, services, params, body }) => {
    const { host } = services.sites;
    return presentSiteDomain(await claimDomain(context, params.site_id, { domain: body.domain, host }));
  },
});

const verify = domain.act('/verify', {
  operationId: 'verifySiteDomain',
  summary: 'Verify the domain of a site',
  description:
    'Looks up the TXT record, which takes up to six seconds, and maps the domain if it has the value. If it does not, `failure` of the answer says why. A new record may take hours until DNS servers know it.',
  example: { once: true },
  response: SiteDomainResponse,
  errors: {
    409: 'The domain leads to another site, whose proof stands in the DNS (`domain_taken`).',
    429: 'The domain was looked at within the last ten seconds.',
  },
  handler: async ({ context, services: { domainRecords: records }, params }) =>
    presentSiteDomain(await verifyDomain({ ...context, records }, params.site_id)),
});

const release = domain.remove('', {
  operationId: 'releaseSiteDomain',
  summary: 'Give the domain of a site back',
  description: 'It leads to the site no more.',
  example: { params: { site_id: demo.siteWithClaim }, once: true },
  handler: async ({ context, params }) => releaseDomain(context, params.site_id),
});

function presentSiteDomain(claim: SiteDomainRow): SiteDomainResponse {
  return {
    ...claim,
    isMapped: claim.provedAt !== null,
    recordName: recordNameOf(claim.domain),
    recordValue: recordValueOf(claim.challenge),
    failure: claim.failure as SiteDomainResponse['failure'],
    expiresAt: endOfClaim(claim) ?? null,
  };
}

export const siteDomainRoutes = [get, claim, verify, release];
