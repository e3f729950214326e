import { detachPageFromMenu } from '../../../db/sites/site-menu-items.js';
import { removeSitePage } from '../../../db/sites/site-pages.js';
import { patchSite } from '../../../db/sites/sites.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { endSchedule } from './publish-page.js';
import { requirePageForChange } from './require-page.js';

/** Deletes a page with its documents and revisions, and takes it out of the menu. @throws Forbidden, NotFound */
export async function deletePage(context: CommandContext, siteId: number, pageId: number): Promise<void> {
  const { db, actor } = context;
  actor.require('sites:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { site, page } = await requirePageForChange(tx, siteId, pageId);
    await endSchedule(tx, page);
    await detachPageFromMenu(tx, page.id);
    await removeSitePage(tx, page.id);
    await patchSite(tx, siteId, { pageCount: site.pageCount - 1 });
    recordAudit(tx, context, 'site_page:deleted', { subject: ['site_page', page.id] });
  });
}
