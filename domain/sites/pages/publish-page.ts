import { removePagePassages } from '../../../db/sites/page-passages.js';
import {
  publishDocuments,
  selectDocumentSummaries,
  unpublishDocuments,
} from '../../../db/sites/site-page-documents.js';
import { keepRevision } from '../../../db/sites/site-page-revisions.js';
import { patchSitePage, type SitePageRow } from '../../../db/sites/site-pages.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokePublicationRun } from '../../kernel/runs.js';
import { indexPage } from '../search/index-pages.js';
import { type PageView, viewPage } from './page-view.js';
import { requirePageForChange } from './require-page.js';

export const unscheduled = {
  publishAt: null,
  scheduledByMemberId: null,
  scheduledApiKeyId: null,
  publishFailure: null,
} as const;

/** Shows a page to visitors, in all its locales, as it is now. @throws Forbidden, NotFound */
export async function publishPage(
  context: CommandContext,
  siteId: number,
  pageId: number,
): Promise<PageView> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { site, page } = await requirePageForChange(tx, siteId, pageId);
    await endSchedule(tx, page);
    const published = await publish(tx, page, clock.now());
    recordAudit(tx, context, 'site_page:published', { subject: ['site_page', page.id] });
    return viewPage(tx, site, published);
  });
}

/** Ends the run that waits for the time of a page. It reads from the row that nothing is to be done. */
export async function endSchedule(tx: Tx, page: SitePageRow): Promise<void> {
  if (page.publishAt !== null) await pokePublicationRun(tx, page);
}

/** Publishes a page under its lock. What visitors read from now on is kept as a revision. */
export async function publish(tx: Tx, page: SitePageRow, now: Date): Promise<SitePageRow> {
  for (const { id, version, publishedVersion } of await selectDocumentSummaries(tx, [page.id])) {
    if (version !== publishedVersion) await keepRevision(tx, id, 'published', now);
  }
  await publishDocuments(tx, page.id, now);
  await indexPage(tx, page.id);
  return patchSitePage(tx, page.id, { publishedAt: page.publishedAt ?? now, ...unscheduled });
}

/** Takes a page from visitors, and from its schedule. @throws Forbidden, NotFound */
export async function unpublishPage(
  context: CommandContext,
  siteId: number,
  pageId: number,
): Promise<PageView> {
  const { db, actor } = context;
  actor.require('sites:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { site, page } = await requirePageForChange(tx, siteId, pageId);
    await endSchedule(tx, page);
    await unpublishDocuments(tx, page.id);
    await removePagePassages(tx, page.id);
    const withdrawn = await patchSitePage(tx, page.id, { publishedAt: null, ...unscheduled });
    if (page.publishedAt !== null) {
      recordAudit(tx, context, 'site_page:unpublished', { subject: ['site_page', page.id] });
    }
    return viewPage(tx, site, withdrawn);
  });
}
