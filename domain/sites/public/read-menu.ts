import type { SiteRow } from '../../../db/sites/sites.js';
import type { VisitContext } from '../../kernel/context.js';
import { loadMenu, type MenuItem, visibleMenu } from '../menus/menu-tree.js';
import { requireVisibleSite } from './visible-site.js';

/** The menu of a site, as its visitors see it. @throws NotFound */
export async function readMenu(
  context: VisitContext,
  siteUuid: string,
): Promise<{ site: SiteRow; items: MenuItem[] }> {
  return context.db.readInWorkspace(context.workspaceId, async (tx) => {
    const site = await requireVisibleSite(tx, context, siteUuid);
    return { site, items: visibleMenu(await loadMenu(tx, site)) };
  });
}
