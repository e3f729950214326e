import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type CrawlStatus = 'running' | 'completed' | 'failed' | 'cancelled';

/** The last crawl of a site, with what its run needs. */
export class SiteCrawlModel extends tenantTable('site_crawls', {
  uuid: column<string>(),
  siteId: column<number>(),
  /** Counts the crawls of the site. */
  number: column<number>(),
  status: column<CrawlStatus>('code'),
  startUrl: column<string>('configuration'),
  /** Name and port; only addresses there are read. */
  host: column<string>('code'),
  /** Pages that are read at most. */
  pageLimit: column<number>(),
  /** Names of elements that are not read. */
  excludedTags: column<string[]>('codes'),
  /** Whether the source is asked only for what has changed since the crawl before. */
  isConditional: column<boolean>(),
  /** The rules of robots.txt at the host; null: not read yet. */
  robots: column<string | null>('configuration'),
  /** What robots.txt asks to wait between two requests; null: nothing. */
  delayMs: column<number | null>(),
  /** Addresses that were queued. */
  found: column<number>(),
  /** Pages that were read. */
  read: column<number>(),
  /** Requests in a row that the host has not served. */
  refusals: column<number>(),
  startedByMemberId: column<number>(),
  /** Null: by another credential. */
  startedApiKeyId: column<number | null>(),
  /** The grant of the OAuth token by which it was started; null: by another credential. */
  startedOauthGrantId: column<number | null>(),
  /** When the crawl ends, however far it has come. */
  deadlineAt: column<Date>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SiteCrawlRow = RowOf<SiteCrawlModel>;
