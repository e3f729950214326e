import { isDeepStrictEqual } from 'node:util';
import {
  findPageDocument,
  insertPageDocument,
  patchPageDocument,
  type SitePageDocumentRow,
} from '../../../db/sites/site-page-documents.js';
import { keepRevision } from '../../../db/sites/site-page-revisions.js';
import { patchSitePage, type SitePageRow } from '../../../db/sites/site-pages.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { localeOfSite, requireRoomForBytes } from './create-page.js';
import { emptyDocument, type PreparedDocument, prepareDocument } from './prepare-document.js';
import { requirePageForChange } from './require-page.js';

export interface DocumentChanges {
  title?: string;
  metaDescription?: string | null;
  /** A document of TipTap. */
  contentBlocks?: unknown;
}

/**
 * Changes the document of a page in a locale of the site, or writes the first one, which needs a title. Visitors read it
 * once the page is published. @throws Forbidden, NotFound, InvalidInput, Conflict `site_full`
 */
export async function writeDocument(
  { db, actor, clock }: CommandContext,
  siteId: number,
  pageId: number,
  { locale, ...changes }: DocumentChanges & { locale: string },
): Promise<SitePageDocumentRow> {
  actor.require('sites:write');
  const given = changes.contentBlocks;
  const prepared = given === undefined ? undefined : await prepareDocument(given);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { site, page } = await requirePageForChange(tx, siteId, pageId);
    const found = await findPageDocument(tx, page.id, locale);
    const by = { memberId: actor.memberId, now: clock.now() };
    if (found !== undefined)
      return changeDocument(tx, { site, page, document: found }, { ...changes, prepared }, by);
    localeOfSite(site, locale, '/locale');
    if (changes.title === undefined) throw InvalidInput.field('/title', 'is required for a new locale');
    const content = prepared ?? (await prepareDocument(emptyDocument));
    await requireRoomForBytes(tx, site, content.contentBytes);
    await patchSitePage(tx, page.id, { updatedAt: by.now });
    return insertPageDocument(tx, {
      pageId: page.id,
      siteId,
      locale,
      title: changes.title,
      metaDescription: changes.metaDescription ?? null,
      ...content,
      editedByMemberId: by.memberId,
      createdAt: by.now,
      updatedAt: by.now,
    });
  });
}

interface Editing {
  /** Null: a crawl. */
  memberId: number | null;
  now: Date;
}

/** For as long, the saves of one editor are one revision: editors save as people type. */
const revisionMs = 10 * 60_000;

/** Changes a document under the lock of its page, and keeps the earlier one where it is a revision. */
export async function changeDocument(
  tx: Tx,
  { site, page, document }: { site: SiteRow; page: SitePageRow; document: SitePageDocumentRow },
  {
    title,
    metaDescription,
    prepared,
  }: Omit<DocumentChanges, 'contentBlocks'> & { prepared?: PreparedDocument | undefined },
  { memberId, now }: Editing,
): Promise<SitePageDocumentRow> {
  const isSame =
    (title === undefined || title === document.title) &&
    (metaDescription === undefined || metaDescription === document.metaDescription) &&
    (prepared === undefined || isDeepStrictEqual(prepared.content, document.content));
  if (isSame) return document;
  if (prepared !== undefined) {
    await requireRoomForBytes(tx, site, prepared.contentBytes - document.contentBytes);
  }
  const keptAt = document.keptAt ?? document.createdAt;
  const isOld = now.getTime() - keptAt.getTime() >= revisionMs;
  if (isOld || document.editedByMemberId !== memberId) await keepRevision(tx, document.id, 'edited', now);
  await patchSitePage(tx, page.id, { updatedAt: now });
  return patchPageDocument(tx, document.id, {
    ...(title !== undefined && { title }),
    ...(metaDescription !== undefined && { metaDescription }),
    ...prepared,
    version: document.version + 1,
    editedByMemberId: memberId,
    updatedAt: now,
  });
}
