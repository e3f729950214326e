import { type SiteFilter, type SiteSortField, selectSites } from '../../../db/sites/sites.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireSite } from './require-site.js';
import { type SiteView, viewSite, viewSites } from './site-view.js';

/** The sites of the workspace, public or not: all its members may know them. @throws Forbidden */
export async function listSites(
  { db, actor }: CommandContext,
  request: PageRequest<SiteSortField> & SiteFilter,
): Promise<PageOf<SiteView>> {
  let rest: Omit<PageOf<unknown>, 'items'> | undefined;
  const items = await viewSites({ db, actor, workspaceId: actor.workspaceId }, async (tx) => {
    const { items: sites, ...more } = await selectSites(tx, request, request);
    rest = more;
    return sites;
  });
  if (rest === undefined) throw new Error('a list of sites without a total');
  return { ...rest, items };
}

/** @throws NotFound */
export async function getSite({ db, actor }: CommandContext, id: number): Promise<SiteView> {
  return viewSite({ db, actor, workspaceId: actor.workspaceId }, (tx) => requireSite(tx, id));
}
