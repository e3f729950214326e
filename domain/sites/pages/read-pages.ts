import {
  findPageDocument,
  type SitePageDocumentRow,
  selectDocumentSummaries,
} from '../../../db/sites/site-page-documents.js';
import { type SitePageFilter, type SitePageSort, selectSitePages } from '../../../db/sites/site-pages.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type PageSummary, type PageView, summarizePages, viewPage } from './page-view.js';
import { requirePage, requireSite } from './require-page.js';

/*
 * Pages as editors see them. What visitors read is in `domain/sites/public`.
 */

/** @throws Forbidden, NotFound */
export async function listPages(
  { db, actor }: CommandContext,
  siteId: number,
  query: PageRequest<SitePageSort> & SitePageFilter,
): Promise<PageOf<PageSummary>> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const site = await requireSite(tx, siteId);
    const found = await selectSitePages(tx, siteId, query, query);
    return { ...found, items: await summarizePages(tx, site, found.items) };
  });
}

/** @throws Forbidden, NotFound */
export async function getPage(
  { db, actor }: CommandContext,
  siteId: number,
  pageId: number,
): Promise<PageView> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const site = await requireSite(tx, siteId);
    return viewPage(tx, site, await requirePage(tx, siteId, pageId));
  });
}

/** The documents of a page, without their contents. @throws Forbidden, NotFound */
export async function listDocuments({ db, actor }: CommandContext, siteId: number, pageId: number) {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requirePage(tx, siteId, pageId);
    return selectDocumentSummaries(tx, [pageId]);
  });
}

/** @throws Forbidden, NotFound */
export async function getDocument(
  { db, actor }: CommandContext,
  siteId: number,
  pageId: number,
  locale: string,
): Promise<SitePageDocumentRow> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requirePage(tx, siteId, pageId);
    const document = await findPageDocument(tx, pageId, locale);
    if (document === undefined) throw new NotFound('Document');
    return document;
  });
}
