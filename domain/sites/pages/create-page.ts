import { documentBytesOfSite, insertPageDocument } from '../../../db/sites/site-page-documents.js';
import { insertSitePage, releaseEarlierSlug } from '../../../db/sites/site-pages.js';
import { patchSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { pageLimits } from './limits.js';
import { checkPageSlug, reportingTakenPageSlug, slugOfTitle } from './page-slugs.js';
import { type PageView, viewPage } from './page-view.js';
import { emptyDocument, prepareDocument } from './prepare-document.js';
import { requireSiteForChange } from './require-page.js';

export interface NewPage {
  title: string;
  /** Default: made from the title. */
  slug?: string;
  metaDescription?: string | null;
  /** A document of TipTap. Default: an empty one. */
  contentBlocks?: unknown;
  /** One of the site. Default: its primary locale. */
  locale?: string;
}

/**
 * Creates a draft, in one locale.
 * @throws Forbidden, NotFound, InvalidInput, Conflict `too_many_pages`, `site_full`
 */
export async function createPage(
  { db, actor, clock }: CommandContext,
  siteId: number,
  { title, slug, metaDescription = null, contentBlocks = emptyDocument, locale }: NewPage,
): Promise<PageView> {
  actor.require('sites:write');
  if (slug !== undefined) checkPageSlug(slug);
  const prepared = await prepareDocument(contentBlocks);
  const now = clock.now();
  return reportingTakenPageSlug(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const site = await requireSiteForChange(tx, siteId);
      const ofSite = localeOfSite(site, locale ?? site.primaryLocale);
      requireRoomForPage(site);
      await requireRoomForBytes(tx, site, prepared.contentBytes);
      const page = await insertSitePage(tx, {
        siteId,
        slug: slug ?? (await slugOfTitle(tx, siteId, title)),
        createdByMemberId: actor.memberId,
        createdAt: now,
        updatedAt: now,
      });
      await releaseEarlierSlug(tx, siteId, page.slug);
      const written = { title, metaDescription, ...prepared, editedByMemberId: actor.memberId };
      const times = { createdAt: now, updatedAt: now };
      await insertPageDocument(tx, { pageId: page.id, siteId, locale: ofSite, ...written, ...times });
      await patchSite(tx, siteId, { pageCount: site.pageCount + 1 });
      return viewPage(tx, site, page);
    }),
  );
}

/** @throws InvalidInput for a locale that the site does not have */
export function localeOfSite({ availableLocales }: SiteRow, locale: string, pointer = '/locale'): string {
  if (availableLocales.includes(locale)) return locale;
  throw InvalidInput.field(pointer, `must be a locale of the site: ${availableLocales.join(', ')}`);
}

/** @throws Conflict `too_many_pages` */
export function requireRoomForPage({ pageCount }: SiteRow): void {
  if (pageCount < pageLimits.pages) return;
  throw new Conflict('too_many_pages', `A site has at most ${pageLimits.pages} pages.`);
}

/** @param more bytes of documents that are added @throws Conflict `site_full` */
export async function requireRoomForBytes(tx: Tx, { id }: SiteRow, more: number): Promise<void> {
  if (more <= 0 || (await documentBytesOfSite(tx, id)) + more <= pageLimits.bytesOfSite) return;
  const mebibytes = pageLimits.bytesOfSite / 1_048_576;
  throw new Conflict('site_full', `The pages of a site have at most ${mebibytes} MiB of documents.`);
}
