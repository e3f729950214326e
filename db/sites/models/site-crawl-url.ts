import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** An address of the source of a site, which crawls have come across. */
export class SiteCrawlUrlModel extends tenantTable('site_crawl_urls', {
  siteId: column<number>(),
  /** The number of the crawl that came across it last. */
  crawlNumber: column<number>(),
  url: column<string>('configuration'),
  urlHash: column<string>('digest'),
  /** Of the address without its query. */
  pathHash: column<string>('digest'),
  kind: column<'page' | 'sitemap'>('code'),
  /** Links, from the start; of a sitemap its level. */
  depth: column<number>(),
  /** Redirects that led here. */
  redirects: column<number>(),
  state: column<'queued' | 'done'>('code'),
  /** Requests that were begun in this crawl. */
  attempts: column<number>(),
  retryAt: column<Date | null>(),
  /** What became of it in this crawl: a code. */
  outcome: column<string | null>('code'),
  httpStatus: column<number | null>(),
  /** The page that was made of it; null with a `writtenVersion`: a person has deleted it. */
  pageId: column<number | null>(),
  /** The locale in which a crawl has written the page. */
  locale: column<string | null>('code'),
  /** The version of its document that a crawl has written; another one is a person's. */
  writtenVersion: column<number | null>(),
  etag: column<string | null>('configuration'),
  lastModified: column<string | null>('configuration'),
  /** The hash of the address to which this one leads, if no page was made of it. */
  leadsToHash: column<string | null>('digest'),
  /** Of the contents that were read. */
  contentHash: column<string | null>('digest'),
  fetchedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SiteCrawlUrlRow = RowOf<SiteCrawlUrlModel>;
