import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Why a revision was kept: before other edits, when it was published, or before another was restored. */
export type RevisionReason = 'edited' | 'published' | 'restored';

/** A kept earlier document of a page in one locale. */
export class SitePageRevisionModel extends tenantTable('site_page_revisions', {
  documentId: column<number>(),
  /** Counts the revisions of the document, from 1. */
  number: column<number>(),
  version: column<number>(),
  reason: column<RevisionReason>('code'),
  title: column<string>('configuration'),
  metaDescription: column<string | null>('configuration'),
  content: json<Record<string, unknown>>('configuration'),
  editedByMemberId: column<number | null>(),
  editedAt: column<Date>(),
  createdAt: column<Date>(),
}) {}

export type SitePageRevisionRow = RowOf<SitePageRevisionModel>;
