import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { SitePageDocumentModel } from './models/site-page-document.js';
import {
  type RevisionReason,
  SitePageRevisionModel,
  type SitePageRevisionRow,
} from './models/site-page-revision.js';

export type { RevisionReason, SitePageRevisionRow } from './models/site-page-revision.js';

/** Revisions that are kept of a document; older ones are deleted. */
export const maxRevisions = 30;

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
  await SitePageDocumentModel.updateWhere(tx, { keptAt: now }, 'id = ?', [documentId]);
  const older = `document_id = ?
    and number <= (select max(number) from site_page_revisions where document_id = ?) - ?`;
  await SitePageRevisionModel.deleteWhere(tx, older, [documentId, documentId, maxRevisions]);
}

const summary = [
  'id',
  'workspaceId',
  'documentId',
  'number',
  'version',
  'reason',
  'title',
  'metaDescription',
  'editedByMemberId',
  'editedAt',
  'createdAt',
] as const;
/** A revision without its contents. */
export type RevisionSummary = Pick<SitePageRevisionRow, (typeof summary)[number]>;

export async function selectRevisions(
  tx: Tx,
  documentId: number,
  { page, pageSize }: Pick<PageRequest, 'page' | 'pageSize'>,
): Promise<PageOf<RevisionSummary>> {
  const ofPage = 'document_id = ? order by number desc limit ? offset ?';
  const items = await SitePageRevisionModel.pick(tx, summary, ofPage, [
    documentId,
    pageSize,
    (page - 1) * pageSize,
  ]);
  return { items, total: await SitePageRevisionModel.count(tx, 'document_id = ?', [documentId]) };
}

export async function findRevision(
  tx: Tx,
  documentId: number,
  id: number,
): Promise<SitePageRevisionRow | undefined> {
  return SitePageRevisionModel.first(tx, 'id = ? and document_id = ?', [id, documentId]);
}
