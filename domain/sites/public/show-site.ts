import type { SiteStanding } from '../../../db/identity/site-versions.js';
import {
  type FedPage,
  findShownPage,
  isWithdrawnPage,
  type ListedShownPage,
  type PageAddress,
  type ShownPage,
  selectNewestPages,
  selectShownPages,
} from '../../../db/sites/shown-pages.js';
import { findSite, type SiteRow } from '../../../db/sites/sites.js';
import type { ServiceContext, VisitContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { canonicalLocale } from '../../lib/locales.js';
import { leadToOwnPages } from '../crawl/own-links.js';
import { loadMenu, type MenuItem, visibleMenu } from '../menus/menu-tree.js';
import { readSitePage } from './read-page.js';

export type { SiteStanding } from '../../../db/identity/site-versions.js';
export type { FedPage, ListedShownPage, PageAddress, ShownPage } from '../../../db/sites/shown-pages.js';

type Reading = Pick<ServiceContext, 'db'>;

/** A site with what all its pages show. */
export interface ShownSite {
  site: SiteRow;
  menu: MenuItem[];
}

/** How a visitor names a site. */
export type SiteName = { uuid: string } | { domain: string };

/** Which site a name leads to, and its version. @param name UUID in lower case, or domain in canonical form */
export async function standingOfSite({ db }: Reading, name: SiteName): Promise<SiteStanding | undefined> {
  return 'uuid' in name
    ? db.identity.siteVersions.ofUuid(name.uuid)
    : db.identity.siteVersions.ofDomain(name.domain);
}

/** What all pages of a site show; undefined: it has been deleted since. */
export async function showSite({ db }: Reading, standing: SiteStanding): Promise<ShownSite | undefined> {
  return db.readInWorkspace(standing.workspaceId, async (tx) => {
    const site = await findSite(tx, standing.siteId);
    return site && { site, menu: visibleMenu(await loadMenu(tx, site)) };
  });
}

/** The locale of a site that a request asks for; the primary one, if the site has none such. */
export function localeAskedFor(
  { availableLocales, primaryLocale }: Pick<SiteRow, 'availableLocales' | 'primaryLocale'>,
  asked: string | undefined,
): string {
  const locale = asked === undefined || asked.length > 35 ? null : canonicalLocale(asked);
  return locale !== null && availableLocales.includes(locale) ? locale : primaryLocale;
}

/** A published page as it is written into HTML; undefined: there is none with this address. */
export async function showPage(
  { db }: Reading,
  { site }: ShownSite,
  address: PageAddress,
  variant: { locale: string; isAmp: boolean },
): Promise<ShownPage | undefined> {
  return db.readInWorkspace(site.workspaceId, async (tx) => {
    const page = await findShownPage(tx, site, address, variant);
    return page && { ...page, body: await leadToOwnPages(tx, ownPage(site, page), page.body) };
  });
}

/** Whether the page with an address has been published, and was withdrawn. */
export async function isWithdrawn(
  { db }: Reading,
  { site }: ShownSite,
  address: PageAddress,
): Promise<boolean> {
  return db.readInWorkspace(site.workspaceId, (tx) => isWithdrawnPage(tx, site, address));
}

/** All published pages of a site. */
export async function listShownPages({ db }: Reading, { site }: ShownSite): Promise<ListedShownPage[]> {
  return db.readInWorkspace(site.workspaceId, (tx) => selectShownPages(tx, site));
}

/** What editors have of a page, published or not; undefined: there is none. @throws Forbidden */
export async function previewPage(
  context: VisitContext,
  { site }: ShownSite,
  address: PageAddress,
  locale: string,
): Promise<Pick<ShownPage, 'title' | 'locale' | 'metaDescription' | 'body'> | undefined> {
  const slugOrId = 'slug' in address ? address.slug : String(address.id);
  try {
    const page = await readSitePage(context, site.uuid, { slugOrId, locale, preview: true });
    const body = await context.db.readInWorkspace(site.workspaceId, (tx) =>
      leadToOwnPages(tx, ownPage(site, page), page.html),
    );
    return { ...page, body };
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

const maxInFeed = 50;

/** The newest published pages of a site, for its feed. */
export async function listNewestPages(
  { db }: Reading,
  { site }: ShownSite,
  locale: string,
): Promise<FedPage[]> {
  return db.readInWorkspace(site.workspaceId, (tx) =>
    selectNewestPages(tx, site, { locale, most: maxInFeed }),
  );
}

function ownPage({ id: siteId, homePageId }: SiteRow, { id: pageId }: { id: number }) {
  return { siteId, pageId, homePageId };
}
