import { findReadElsewhere, type SiteCrawlUrlRow } from '../../../db/sites/site-crawl-urls.js';
import type { SiteCrawlRow } from '../../../db/sites/site-crawls.js';
import { findPageDocument, insertPageDocument } from '../../../db/sites/site-page-documents.js';
import {
  insertSitePage,
  lockSitePage,
  patchSitePage,
  releaseEarlierSlug,
  type SitePageRow,
} from '../../../db/sites/site-pages.js';
import { patchSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { canonicalLocale } from '../../lib/locales.js';
import { requireRoomForBytes, requireRoomForPage } from '../pages/create-page.js';
import { slugOfTitle } from '../pages/page-slugs.js';
import { changeDocument } from '../pages/write-document.js';
import type { ReadPage } from './read-source-page.js';

interface At {
  tx: Tx;
  site: SiteRow;
  now: Date;
}

type Written = Partial<
  Pick<SiteCrawlUrlRow, 'pageId' | 'locale' | 'writtenVersion' | 'contentHash' | 'leadsToHash'>
> & {
  outcome: string;
};

/**
 * Makes a draft of what a crawl has read at an address, or writes it into the page that it has made before. What a person has edited
 * since is not overwritten, what a person has deleted is not made again. The caller holds the lock of the site.
 * @throws Conflict `too_many_pages`, `site_full`
 */
export async function writeCrawledPage(
  at: At,
  crawl: SiteCrawlRow,
  row: SiteCrawlUrlRow,
  page: ReadPage,
): Promise<Written> {
  const { tx, site } = at;
  const { contentHash } = page;
  const leadsToHash = await findReadElsewhere(tx, crawl, { id: row.id, contentHash });
  if (leadsToHash !== undefined) return { outcome: 'duplicate', leadsToHash };
  if (row.pageId === null) {
    return row.writtenVersion === null ? createPage(at, row, page) : { outcome: 'deleted' };
  }
  const existing = await lockSitePage(tx, site.id, row.pageId);
  if (existing === undefined) throw new Error(`page ${row.pageId} of site ${site.id} is missing`);
  const document = row.locale === null ? undefined : await findPageDocument(tx, existing.id, row.locale);
  await patchSitePage(tx, existing.id, sourceOf(at, row, page));
  if (document === undefined) return { outcome: 'kept', contentHash };
  if (document.version !== row.writtenVersion) {
    return { outcome: row.contentHash === contentHash ? 'unchanged' : 'kept', contentHash };
  }
  const { prepared, description } = page;
  const changes = { title: titleOf(row, page), metaDescription: description, prepared };
  const by = { memberId: null, now: at.now };
  const changed = await changeDocument(tx, { site, page: existing, document }, changes, by);
  const outcome = changed.version === document.version ? 'unchanged' : 'updated';
  return { outcome, contentHash, writtenVersion: changed.version };
}

async function createPage(at: At, row: SiteCrawlUrlRow, page: ReadPage): Promise<Written> {
  const { tx, site, now } = at;
  const { prepared } = page;
  requireRoomForPage(site);
  await requireRoomForBytes(tx, site, prepared.contentBytes);
  const title = titleOf(row, page);
  const slug = await slugOfTitle(tx, site.id, slugSource(row.url, title));
  const times = { createdAt: now, updatedAt: now };
  const source = sourceOf(at, row, page);
  const created = await insertSitePage(tx, {
    siteId: site.id,
    slug,
    createdByMemberId: null,
    ...source,
    ...times,
  });
  await releaseEarlierSlug(tx, site.id, slug);
  const locale = localeOf(site, page.language);
  const document = await insertPageDocument(tx, {
    pageId: created.id,
    siteId: site.id,
    locale,
    title,
    metaDescription: page.description,
    ...prepared,
    editedByMemberId: null,
    ...times,
  });
  await patchSite(tx, site.id, { pageCount: site.pageCount + 1 });
  const { contentHash } = page;
  return { outcome: 'created', pageId: created.id, locale, writtenVersion: document.version, contentHash };
}

/** A page that has not changed at the source was read now. @returns the outcome */
export async function recordUnchanged({ tx, site, now }: At, { pageId }: SiteCrawlUrlRow): Promise<string> {
  const page = pageId === null ? undefined : await lockSitePage(tx, site.id, pageId);
  if (page === undefined) return 'deleted';
  await patchSitePage(tx, page.id, { crawledAt: now, sourceMetadata: withoutGone(page) });
  return 'unchanged';
}

/** Marks the page that was made of an address that leads nowhere any more. @returns whether there is one */
export async function markGone({ tx, site, now }: At, { pageId }: SiteCrawlUrlRow): Promise<boolean> {
  const page = pageId === null ? undefined : await lockSitePage(tx, site.id, pageId);
  if (page === undefined) return false;
  const missingSince = page.sourceMetadata.missingSince ?? now.toISOString();
  await patchSitePage(tx, page.id, { sourceMetadata: { ...page.sourceMetadata, missingSince } });
  return true;
}

function withoutGone({ sourceMetadata }: SitePageRow): Record<string, unknown> {
  const { missingSince: _, ...rest } = sourceMetadata;
  return rest;
}

/** What the columns of the source say of a page. */
function sourceOf({ now }: At, row: SiteCrawlUrlRow, page: ReadPage) {
  const { title, description, language, prepared, html, isCut } = page;
  const said = { title, description, language };
  const known = Object.entries(said).filter(([, value]) => value !== null);
  return {
    sourceUrl: row.url,
    sourceHtml: html,
    sourceMarkdown: prepared.markdown,
    sourceMetadata: { ...Object.fromEntries(known), ...(isCut ? { isCut } : {}) },
    crawledAt: now,
  };
}

function titleOf({ url }: SiteCrawlUrlRow, { title }: ReadPage): string {
  return title ?? new URL(url).hostname;
}

/** Slugs are made of the path, so that addresses stay alike; of the first page, which has none, of its title. */
function slugSource(url: string, title: string): string {
  const segments = decoded(new URL(url).pathname)
    .split('/')
    .filter((segment) => segment !== '');
  const last = segments.at(-1)?.replace(/\.(html?|php|aspx?|jsp)$/i, '') ?? '';
  const path = [...segments.slice(-3, -1), ...(last === 'index' ? [] : [last])].join(' ');
  const letters = /[a-z0-9]/i;
  return [path, title].find((text) => letters.test(text.normalize('NFKD'))) ?? 'page';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The locale of the site that the page says it is in, else the primary one. */
function localeOf({ availableLocales, primaryLocale }: SiteRow, language: string | null): string {
  const given = language === null ? null : canonicalLocale(language);
  if (given === null) return primaryLocale;
  if (availableLocales.includes(given)) return given;
  const [first] = given.split('-');
  return availableLocales.find((locale) => locale.split('-')[0] === first) ?? primaryLocale;
}
