import { findPageDocument, type SitePageDocumentRow } from '../../../db/sites/site-page-documents.js';
import {
  findRevision,
  keepRevision,
  type RevisionSummary,
  type SitePageRevisionRow,
  selectRevisions,
} from '../../../db/sites/site-page-revisions.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { prepareDocument } from './prepare-document.js';
import { requirePage, requirePageForChange } from './require-page.js';
import { changeDocument } from './write-document.js';

/** The document that revisions are of. */
export interface DocumentRef {
  siteId: number;
  pageId: number;
  locale: string;
}

/** Lists the revisions of a document, without their contents, the newest first. @throws Forbidden, NotFound */
export async function listRevisions(
  { db, actor }: CommandContext,
  ref: DocumentRef,
  page: Pick<PageRequest, 'page' | 'pageSize'>,
): Promise<PageOf<RevisionSummary>> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requirePage(tx, ref.siteId, ref.pageId);
    return selectRevisions(tx, (await requireDocument(tx, ref)).id, page);
  });
}

/** @throws Forbidden, NotFound */
export async function getRevision(
  { db, actor }: CommandContext,
  ref: DocumentRef,
  revisionId: number,
): Promise<SitePageRevisionRow> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requirePage(tx, ref.siteId, ref.pageId);
    return requireRevision(tx, (await requireDocument(tx, ref)).id, revisionId);
  });
}

/**
 * Makes a revision the document that editors work on, and keeps what they had as another one. Visitors read it once the
 * page is published. @throws Forbidden, NotFound, InvalidInput if today's rules refuse it, Conflict `site_full`
 */
export async function restoreRevision(
  context: CommandContext,
  ref: DocumentRef,
  revisionId: number,
): Promise<SitePageDocumentRow> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  const { content, title, metaDescription } = await getRevision(context, ref, revisionId);
  const prepared = await prepareDocument(content);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { site, page } = await requirePageForChange(tx, ref.siteId, ref.pageId);
    const document = await requireDocument(tx, ref);
    const now = clock.now();
    await keepRevision(tx, document.id, 'restored', now);
    const by = { memberId: actor.memberId, now };
    return changeDocument(tx, { site, page, document }, { title, metaDescription, prepared }, by);
  });
}

async function requireDocument(tx: Tx, { pageId, locale }: DocumentRef): Promise<SitePageDocumentRow> {
  const document = await findPageDocument(tx, pageId, locale);
  if (document === undefined) throw new NotFound('Document');
  return document;
}

async function requireRevision(tx: Tx, documentId: number, id: number): Promise<SitePageRevisionRow> {
  const revision = await findRevision(tx, documentId, id);
  if (revision === undefined) throw new NotFound('Revision');
  return revision;
}
