import { prepared } from '../statement.js';
import type { EnteredTx } from '../tx.js';
import { pageIdOfSlug } from './site-pages.js';

/** A published page in one locale, as it is written into HTML. */
export interface ShownPage {
  id: number;
  slug: string;
  locale: string;
  title: string;
  metaDescription: string | null;
  /** HTML of the document, or what AMP has instead. */
  body: string;
  /** When this locale of it was published last. */
  publishedAt: Date;
  /** The locales that it is published in, of those of the site. */
  locales: string[];
}

/** By which a page is asked for: a slug, which may be an earlier one, or an id. */
export type PageAddress = { slug: string } | { id: number };

interface SiteOfPages {
  id: number;
  primaryLocale: string;
  availableLocales: string[];
}

/** SQL for the id of a page, and its values. */
function idOf({ id: siteId }: Pick<SiteOfPages, 'id'>, address: PageAddress): [string, unknown[]] {
  return 'slug' in address
    ? [pageIdOfSlug, [siteId, address.slug, siteId, address.slug]]
    : ['(select id from site_pages where id = ? and site_id = ?)', [address.id, siteId]];
}

/** The published page with an address, in a locale, else in the primary locale, else in any locale of the site. */
export async function findShownPage(
  tx: EnteredTx,
  site: SiteOfPages,
  address: PageAddress,
  { locale, isAmp }: { locale: string; isAmp: boolean },
): Promise<ShownPage | undefined> {
  const [id, values] = idOf(site, address);
  const [found] = await prepared<ShownPage>(
    tx,
    `select p.id, p.slug, d.locale, d.published_title as title, d.published_meta_description as "metaDescription",
       d.${isAmp ? 'published_amp' : 'published_html'} as body, d.published_at as "publishedAt",
       array(select o.locale from site_page_documents o where o.page_id = p.id
         and o.published_version is not null and o.locale = any(?) order by o.locale) as locales
     from site_pages p
     join lateral (select * from site_page_documents o where o.page_id = p.id
       and o.published_version is not null and o.locale = any(?)
       order by (o.locale = ?) desc, (o.locale = ?) desc, o.id limit 1) d on true
     where p.published_at is not null and p.id = ${id}`,
    [site.availableLocales, site.availableLocales, locale, site.primaryLocale, ...values],
  );
  return found;
}

/** Whether the page with an address has been published, and was withdrawn. */
export async function isWithdrawnPage(
  tx: EnteredTx,
  site: Pick<SiteOfPages, 'id'>,
  address: PageAddress,
): Promise<boolean> {
  const [id, values] = idOf(site, address);
  const found = await prepared(
    tx,
    `select p.id from site_pages p where p.id = ${id} and p.published_at is null and exists (
       select from site_page_documents d join site_page_revisions r on r.document_id = d.id
       where d.page_id = p.id and r.reason = 'published')`,
    values,
  );
  return found.length > 0;
}

/** A published page in the lists of a site. */
export interface ListedShownPage {
  id: number;
  uuid: string;
  slug: string;
  /** When visitors could read it first. */
  publishedAt: Date;
  /** When one of its locales was published last. */
  updatedAt: Date;
  locales: string[];
}

/** All published pages of a site, which are a thousand at most, in the order of their ids. */
export async function selectShownPages(tx: EnteredTx, site: SiteOfPages): Promise<ListedShownPage[]> {
  return prepared<ListedShownPage>(
    tx,
    `select p.id, p.uuid, p.slug, p.published_at as "publishedAt", d.published_at as "updatedAt", d.locales
     from site_pages p
     join lateral (select array_agg(o.locale order by o.locale) as locales, max(o.published_at) as published_at
       from site_page_documents o
       where o.page_id = p.id and o.published_version is not null and o.locale = any(?)) d on d.locales is not null
     where p.site_id = ? and p.published_at is not null order by p.id`,
    [site.availableLocales, site.id],
  );
}

/** A page in the feed of a site. */
export interface FedPage extends Pick<ListedShownPage, 'id' | 'uuid' | 'slug' | 'publishedAt' | 'updatedAt'> {
  title: string;
  metaDescription: string | null;
  locale: string;
}

/** The pages of a site that were published first lately, the newest first. */
export async function selectNewestPages(
  tx: EnteredTx,
  site: SiteOfPages,
  { locale, most }: { locale: string; most: number },
): Promise<FedPage[]> {
  return prepared<FedPage>(
    tx,
    `select p.id, p.uuid, p.slug, p.published_at as "publishedAt", d.published_at as "updatedAt", d.locale,
       d.published_title as title, d.published_meta_description as "metaDescription"
     from site_pages p
     join lateral (select * from site_page_documents o where o.page_id = p.id
       and o.published_version is not null and o.locale = any(?)
       order by (o.locale = ?) desc, (o.locale = ?) desc, o.id limit 1) d on true
     where p.site_id = ? and p.published_at is not null order by p.published_at desc, p.id desc limit ?`,
    [site.availableLocales, locale, site.primaryLocale, site.id, most],
  );
}
