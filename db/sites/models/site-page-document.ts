import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A page in one locale: what editors work on, and a copy of it, which visitors read. */
export class SitePageDocumentModel extends tenantTable('site_page_documents', {
  pageId: column<number>(),
  siteId: column<number>(),
  locale: column<string>('code'),
  /** Rises with each change. */
  version: column<number>(),
  title: column<string>('configuration'),
  metaDescription: column<string | null>('configuration'),
  /** A document of TipTap, checked. */
  content: json<Record<string, unknown>>('configuration'),
  html: column<string>('configuration'),
  markdown: column<string>('configuration'),
  amp: column<string>('configuration'),
  /** UTF-8 bytes of `content`. */
  contentBytes: column<number>(),
  /** Null: a crawl. */
  editedByMemberId: column<number | null>(),
  /** When a revision was kept last. */
  keptAt: column<Date | null>(),
  /** Null: visitors read the page in other locales only. */
  publishedVersion: column<number | null>(),
  publishedTitle: column<string | null>('configuration'),
  publishedMetaDescription: column<string | null>('configuration'),
  publishedContent: json<Record<string, unknown> | null>('configuration'),
  publishedHtml: column<string | null>('configuration'),
  publishedMarkdown: column<string | null>('configuration'),
  publishedAmp: column<string | null>('configuration'),
  publishedAt: column<Date | null>(),
  /** The published version that is searched; null: none. */
  indexedVersion: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SitePageDocumentRow = RowOf<SitePageDocumentModel>;
