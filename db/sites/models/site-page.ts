import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class SitePageModel extends tenantTable('site_pages', {
  uuid: column<string>(),
  siteId: column<number>(),
  /** Unique in the site. */
  slug: column<string>('configuration'),
  /** When visitors could read it first; null: they cannot. */
  publishedAt: column<Date | null>(),
  /** When it will be published, as it is then. */
  publishAt: column<Date | null>(),
  scheduledByMemberId: column<number | null>(),
  /** Null: by a session. */
  scheduledApiKeyId: column<number | null>(),
  /** Why it was not published at its time. */
  publishFailure: column<string | null>('code'),
  /** What a crawl has read. */
  sourceMetadata: json<Record<string, unknown>>('configuration'),
  sourceHtml: column<string | null>('configuration'),
  sourceMarkdown: column<string | null>('configuration'),
  sourceUrl: column<string | null>('configuration'),
  crawledAt: column<Date | null>(),
  /** Null: a crawl. */
  createdByMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SitePageRow = RowOf<SitePageModel>;
