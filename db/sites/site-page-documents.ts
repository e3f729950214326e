import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { SitePageDocumentModel, type SitePageDocumentRow } from './models/site-page-document.js';
import { pageIdOfSlug } from './site-pages.js';

export type { SitePageDocumentRow } from './models/site-page-document.js';

export type DocumentValues = Pick<
  SitePageDocumentRow,
  'title' | 'metaDescription' | 'content' | 'html' | 'markdown' | 'amp' | 'contentBytes'
>;

export async function insertPageDocument(
  tx: Tx,
  values: Pick<SitePageDocumentRow, 'pageId' | 'siteId' | 'locale' | 'editedByMemberId'> &
    DocumentValues &
    Partial<SitePageDocumentRow>,
): Promise<SitePageDocumentRow> {
  return SitePageDocumentModel.insert(tx, values);
}

export async function findPageDocument(
  tx: EnteredTx,
  pageId: number,
  locale: string,
): Promise<SitePageDocumentRow | undefined> {
  return SitePageDocumentModel.first(tx, 'page_id = ? and locale = ?', [pageId, locale]);
}

/** The document in the primary locale of the site, else the first one of the page. */
export async function findPrimaryDocument(
  tx: EnteredTx,
  pageId: number,
  primaryLocale: string,
): Promise<SitePageDocumentRow | undefined> {
  return SitePageDocumentModel.first(tx, 'page_id = ? order by (locale = ?) desc, id', [
    pageId,
    primaryLocale,
  ]);
}

const summary = [
  'id',
  'pageId',
  'locale',
  'version',
  'title',
  'metaDescription',
  'contentBytes',
  'editedByMemberId',
  'publishedVersion',
  'publishedTitle',
  'publishedAt',
  'createdAt',
  'updatedAt',
] as const;
/** A document without its contents. */
export type DocumentSummary = Pick<SitePageDocumentRow, (typeof summary)[number]>;

/** The documents of these pages, without contents, in order of locale. */
export async function selectDocumentSummaries(
  tx: EnteredTx,
  pageIds: readonly number[],
): Promise<DocumentSummary[]> {
  if (pageIds.length === 0) return [];
  return SitePageDocumentModel.pick(tx, summary, 'page_id = any(?) order by page_id, locale', [pageIds]);
}

export async function patchPageDocument(
  tx: Tx,
  id: number,
  changes: Partial<Omit<SitePageDocumentRow, 'id' | 'workspaceId'>>,
): Promise<SitePageDocumentRow> {
  return SitePageDocumentModel.patch(tx, id, changes);
}

export async function removePageDocument(tx: Tx, id: number): Promise<void> {
  await SitePageDocumentModel.deleteWhere(tx, 'id = ?', [id]);
}

/** Copies what editors have written to what visitors read, in all locales of the page. */
export async function publishDocuments(tx: Tx, pageId: number, now: Date): Promise<void> {
  await prepared(
    tx,
    `update site_page_documents set published_version = version, published_title = title,
       published_meta_description = meta_description, published_content = content, published_html = html,
       published_markdown = markdown, published_amp = amp, published_at = ?
     where page_id = ? and published_version is distinct from version`,
    [now, pageId],
  );
}

export async function unpublishDocuments(tx: Tx, pageId: number): Promise<void> {
  const unpublished = {
    publishedVersion: null,
    publishedTitle: null,
    publishedMetaDescription: null,
    publishedContent: null,
    publishedHtml: null,
    publishedMarkdown: null,
    publishedAmp: null,
    publishedAt: null,
  };
  const published = 'page_id = ? and published_version is not null';
  await SitePageDocumentModel.updateWhere(tx, unpublished, published, [pageId]);
}

/** UTF-8 bytes of all documents of a site. */
export async function documentBytesOfSite(tx: Tx, siteId: number): Promise<number> {
  const [found] = await prepared<{ bytes: number }>(
    tx,
    'select coalesce(sum(content_bytes), 0)::bigint as bytes from site_page_documents where site_id = ?',
    [siteId],
  );
  return found?.bytes ?? 0;
}

/** A page as visitors read it. */
export interface PublishedPage {
  id: number;
  slug: string;
  createdAt: Date;
  locale: string;
  title: string;
  metaDescription: string | null;
  content: Record<string, unknown>;
  html: string;
  amp: string;
  /** When this locale of it was published last. */
  publishedAt: Date;
  /** The locales that it is published in, of those of the site. */
  locales: string[];
}

const withId = 'p.id = ? and p.site_id = ?';
const withSlug = `p.id = ${pageIdOfSlug}`;

/**
 * The published page with a slug, which may be an earlier one of it, or an id, in a locale, else in the primary locale, else
 * in any locale of the site.
 */
export async function findPublishedPage(
  tx: EnteredTx,
  site: { id: number; primaryLocale: string; availableLocales: string[] },
  { slug, id, locale }: { slug: string | null; id: number | null; locale: string | null },
): Promise<PublishedPage | undefined> {
  const [found] = await prepared<PublishedPage>(
    tx,
    `select p.id, p.slug, p.created_at as "createdAt", d.locale, d.published_title as title,
       d.published_meta_description as "metaDescription", d.published_content as content,
       d.published_html as html, d.published_amp as amp, d.published_at as "publishedAt",
       array(select o.locale from site_page_documents o where o.page_id = p.id
         and o.published_version is not null and o.locale = any(?) order by o.locale) as locales
     from site_pages p
     join lateral (select * from site_page_documents o where o.page_id = p.id
       and o.published_version is not null and o.locale = any(?)
       order by (o.locale = ?) desc nulls last, (o.locale = ?) desc, o.id limit 1) d on true
     where p.published_at is not null and ${id === null ? withSlug : withId}`,
    [
      site.availableLocales,
      site.availableLocales,
      locale,
      site.primaryLocale,
      ...(id === null ? [site.id, slug, site.id, slug] : [id, site.id]),
    ],
  );
  return found;
}
