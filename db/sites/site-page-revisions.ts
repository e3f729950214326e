import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import {
  type RevisionReason,
  SitePageRevisionModel,
  type SitePageRevisionRow,
} from './models/site-page-revision.js';

export type { RevisionReason, SitePageRevisionRow } from './models/site-page-revision.js';

/** Revisions that are kept of a document; older ones are deleted. */
export const mostRevisions = 30;

/** Keeps a document as it is, unless this version of it is kept already. */
export async function keepRevision(
  tx: Tx,
  documentId: number,
  reason: RevisionReason,
  now: Date,
): Promise<void> {
  await prepared(
    tx,
    `insert into site_page_revisions (workspace_id, document_id, number, version, reason, title, meta_description,
       content, edited_by_member_id, edited_at, created_at)
     select workspace_id, id, coalesce((select max(number) from site_page_revisions where document_id = d.id), 0) + 1,
       version, ?, title, meta_description, content, edited_by_member_id, updated_at, ?
     from site_page_documents d where id = ?
       and not exists (select from site_page_revisions r where r.document_id = d.id and r.version = d.version)`,
    [reason, now, documentId],
  );
  await prepared(tx, 'update site_page_documents set kept_at = ? where id = ?', [now, documentId]);
  await prepared(
    tx,
    `delete from site_page_revisions where document_id = ? and number <= (
       select max(number) from site_page_revisions where document_id = ?) - ?`,
    [documentId, documentId, mostRevisions],
  );
}

/** A revision without its contents. */
export type RevisionSummary = Omit<SitePageRevisionRow, 'content'>;

export async function selectRevisions(
  tx: Tx,
  documentId: number,
  { page, pageSize }: Pick<PageRequest, 'page' | 'pageSize'>,
): Promise<PageOf<RevisionSummary>> {
  const items = await prepared<RevisionSummary>(
    tx,
    `select id, workspace_id as "workspaceId", document_id as "documentId", number, version, reason, title,
       meta_description as "metaDescription", edited_by_member_id as "editedByMemberId",
       edited_at as "editedAt", created_at as "createdAt"
     from site_page_revisions where document_id = ? order by number desc limit ? offset ?`,
    [documentId, pageSize, (page - 1) * pageSize],
  );
  const [counted] = await prepared<{ total: number }>(
    tx,
    'select count(*)::int as total from site_page_revisions where document_id = ?',
    [documentId],
  );
  return { items, total: counted?.total ?? 0 };
}

export async function findRevision(
  tx: Tx,
  documentId: number,
  id: number,
): Promise<SitePageRevisionRow | undefined> {
  return SitePageRevisionModel.first(tx, 'id = ? and document_id = ?', [id, documentId]);
}
