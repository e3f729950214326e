import {
  type DocumentSummary,
  findPrimaryDocument,
  type SitePageDocumentRow,
  selectDocumentSummaries,
} from '../../../db/sites/site-page-documents.js';
import type { ListedPage, PageStatus, SitePageRow } from '../../../db/sites/site-pages.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { EnteredTx } from '../../../db/tx.js';

/** A page with its document in its primary locale, and a summary of all its documents. */
export interface PageView extends PageSummary {
  page: SitePageRow;
  document: SitePageDocumentRow;
}

/** A page as lists show it. */
export interface PageSummary {
  site: SiteRow;
  page: ListedPage;
  primary: DocumentSummary;
  documents: DocumentSummary[];
}

export function statusOf({ publishedAt, publishAt }: ListedPage): PageStatus {
  if (publishedAt !== null) return 'published';
  return publishAt === null ? 'draft' : 'scheduled';
}

/** Whether a published page reads otherwise than its editors have it. */
export function hasUnpublishedChanges({ page, documents }: PageSummary): boolean {
  return (
    page.publishedAt !== null &&
    documents.some(({ version, publishedVersion }) => version !== publishedVersion)
  );
}

/** The locale of the site that a page has, else the first that it was written in. */
function primaryOf(site: SiteRow, documents: readonly DocumentSummary[]): DocumentSummary {
  const ofSite = documents.find(({ locale }) => locale === site.primaryLocale);
  const [first] = [...documents].sort((one, other) => one.id - other.id);
  const primary = ofSite ?? first;
  if (primary === undefined) throw new Error('a page has no document');
  return primary;
}

export async function viewPage(tx: EnteredTx, site: SiteRow, page: SitePageRow): Promise<PageView> {
  const [[summary], document] = await Promise.all([
    summarizePages(tx, site, [page]),
    findPrimaryDocument(tx, page.id, site.primaryLocale),
  ]);
  if (summary === undefined || document === undefined) throw new Error(`page ${page.id} has no document`);
  return { ...summary, page, document };
}

export async function summarizePages(
  tx: EnteredTx,
  site: SiteRow,
  pages: readonly ListedPage[],
): Promise<PageSummary[]> {
  const all = await selectDocumentSummaries(
    tx,
    pages.map(({ id }) => id),
  );
  return pages.map((page) => {
    const documents = all.filter(({ pageId }) => pageId === page.id);
    return { site, page, documents, primary: primaryOf(site, documents) };
  });
}
