import { removeSite } from '../../../db/sites/sites.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireLockedSite } from './require-site.js';

/** Deletes a site with its pages and its menu, and gives its domain back. Files stay. @throws NotFound, Forbidden */
export async function deleteSite(context: CommandContext, id: number): Promise<void> {
  const { db, actor } = context;
  actor.require('sites:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireLockedSite(tx, id);
    const domain = await db.identity.siteDomains.remove(id, tx);
    await removeSite(tx, id);
    await db.identity.siteVisitors.removeOfSite(id, tx);
    await db.identity.crawlSchedules.remove(id, tx);
    if (domain !== undefined) recordAudit(tx, context, 'site_domain:released', { subject: ['site', id] });
    recordAudit(tx, context, 'site:deleted', { subject: ['site', id] });
  });
}
