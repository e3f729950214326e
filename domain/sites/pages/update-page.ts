import { findPrimaryDocument } from '../../../db/sites/site-page-documents.js';
import { keepEarlierSlug, patchSitePage, releaseEarlierSlug } from '../../../db/sites/site-pages.js';
import type { CommandContext } from '../../kernel/context.js';
import { checkPageSlug, reportingTakenPageSlug } from './page-slugs.js';
import { type PageView, viewPage } from './page-view.js';
import { prepareDocument } from './prepare-document.js';
import { requirePageForChange } from './require-page.js';
import { changeDocument, type DocumentChanges } from './write-document.js';

/**
 * Changes a page, and its document in its primary locale. An earlier slug leads to the page.
 * @throws Forbidden, NotFound, InvalidInput, Conflict `site_full`
 */
export async function updatePage(
  { db, actor, clock }: CommandContext,
  siteId: number,
  pageId: number,
  { slug, contentBlocks, ...changes }: DocumentChanges & { slug?: string },
): Promise<PageView> {
  actor.require('sites:write');
  if (slug !== undefined) checkPageSlug(slug);
  const prepared = contentBlocks === undefined ? undefined : await prepareDocument(contentBlocks);
  const now = clock.now();
  return reportingTakenPageSlug(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const { site, page } = await requirePageForChange(tx, siteId, pageId);
      if (slug !== undefined && slug !== page.slug) {
        await patchSitePage(tx, page.id, { slug, updatedAt: now });
        await releaseEarlierSlug(tx, siteId, slug);
        await keepEarlierSlug(tx, page, page.slug);
      }
      const document = await findPrimaryDocument(tx, page.id, site.primaryLocale);
      if (document === undefined) throw new Error(`page ${page.id} has no document`);
      const by = { memberId: actor.memberId, now };
      await changeDocument(tx, { site, page, document }, { ...changes, prepared }, by);
      return viewPage(tx, site, (await requirePageForChange(tx, siteId, pageId)).page);
    }),
  );
}
