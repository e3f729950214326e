import {
  findPageDocument,
  removePageDocument,
  selectDocumentSummaries,
} from '../../../db/sites/site-page-documents.js';
import { patchSitePage } from '../../../db/sites/site-pages.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { requirePageForChange } from './require-page.js';

/** Deletes the document of a page in a locale, at once also for visitors. @throws Forbidden, NotFound, Conflict `last_document` */
export async function deleteDocument(
  { db, actor, clock }: CommandContext,
  siteId: number,
  pageId: number,
  locale: string,
): Promise<void> {
  actor.require('sites:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { page } = await requirePageForChange(tx, siteId, pageId);
    const document = await findPageDocument(tx, page.id, locale);
    if (document === undefined) throw new NotFound('Document');
    if ((await selectDocumentSummaries(tx, [page.id])).length === 1) {
      throw new Conflict(
        'last_document',
        'A page has a document in at least one locale. Delete the page instead.',
      );
    }
    await removePageDocument(tx, document.id);
    await patchSitePage(tx, page.id, { updatedAt: clock.now() });
  });
}
