import { type SiteFilter, type SiteSortField, selectSites } from '../../../db/sites/sites.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireSiteInSight } from '../public/visible-site.js';
import { type SiteView, viewSite, viewSites } from './site-view.js';

/** The sites of the workspace, public or not, to those whom it knows; to others its public ones. @throws Forbidden */
export async function listSites(
  { db, actor }: CommandContext,
  request: PageRequest<SiteSortField> & SiteFilter,
): Promise<PageOf<SiteView>> {
  let rest: Omit<PageOf<unknown>, 'items'> | undefined;
  const items = await viewSites({ db, actor, workspaceId: actor.workspaceId }, async (tx) => {
    const publicOnly = !readerOf(actor).readsWorkspace;
    const { items: sites, ...more } = await selectSites(tx, { ...request, publicOnly }, request);
    rest = more;
    return sites;
  });
  if (rest === undefined) throw new Error('a list of sites without a total');
  return { ...rest, items };
}

/** @throws NotFound */
export async function getSite({ db, actor }: CommandContext, id: number): Promise<SiteView> {
  return viewSite({ db, actor, workspaceId: actor.workspaceId }, (tx) => requireSiteInSight(tx, actor, id));
}
