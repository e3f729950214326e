import { randomBytes } from 'node:crypto';
import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { requireLockedSite, requireSite } from '../sites/require-site.js';
import { checkDomain, domainProblems } from './domain-name.js';

/**
 * Claims a domain for a site, in place of the one that it had. It maps to the site once it is proved (`verifyDomain`).
 * @param host of the service @throws NotFound, Forbidden, InvalidInput, Conflict `domain_claimed`
 */
export async function claimDomain(
  context: CommandContext,
  siteId: number,
  { domain: text, host }: { domain: string; host: string },
): Promise<SiteDomainRow> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  const checked = checkDomain(text, host);
  if ('problem' in checked) throw InvalidInput.field('/domain', domainProblems[checked.problem]);
  const { domain } = checked;
  const now = clock.now();
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      await requireLockedSite(tx, siteId);
      const before = await db.identity.siteDomains.lock(siteId, tx);
      if (before?.domain === domain) return before;
      if (before !== undefined) await db.identity.siteDomains.remove(siteId, tx);
      const challenge = randomBytes(24).toString('base64url');
      recordAudit(tx, context, 'site_domain:claimed', { subject: ['site', siteId] });
      return db.identity.siteDomains.insert(
        { siteId, domain, challenge, createdAt: now, updatedAt: now },
        tx,
      );
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'site_domains_workspace_id_domain_key') throw error;
    throw new Conflict('domain_claimed', 'Another site of the workspace claims the domain.');
  }
}

/** The domain that a site claims. @throws NotFound, also without one */
export async function getDomain({ db, actor }: CommandContext, siteId: number): Promise<SiteDomainRow> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requireSite(tx, siteId);
    const claim = (await db.identity.siteDomains.ofSites(actor.workspaceId, [siteId], tx)).get(siteId);
    if (claim === undefined) throw new NotFound('Domain');
    return claim;
  });
}

/** Gives the domain of a site back; it maps to the site no more. @throws NotFound, Forbidden */
export async function releaseDomain(context: CommandContext, siteId: number): Promise<void> {
  const { db, actor } = context;
  actor.require('sites:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireLockedSite(tx, siteId);
    if ((await db.identity.siteDomains.remove(siteId, tx)) === undefined) throw new NotFound('Domain');
    recordAudit(tx, context, 'site_domain:released', { subject: ['site', siteId] });
  });
}
