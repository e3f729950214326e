import type { Tx } from '../../../db/database.js';
import { foundMarks } from '../../../db/files/file-passages.js';
import { type PagePassageSearch, searchPagePassages } from '../../../db/sites/page-passages.js';
import { type ExcerptPart, excerptOf } from '../../lib/excerpt.js';

/** A part of a published page of a site. */
export interface PagePassage {
  site: { id: number; uuid: string; name: string };
  page: { id: number; slug: string; title: string; locale: string };
  text: string;
  excerpt: ExcerptPart[];
  /** As that of passages of files. */
  rank: number;
}

/**
 * Finds passages of what visitors read of the sites of the workspace, the best first.
 * @throws an error that `isCancelled` knows, if there is too much to rank
 */
export async function findPagePassages(tx: Tx, search: PagePassageSearch): Promise<PagePassage[]> {
  const found = await searchPagePassages(tx, search);
  return found.map(({ siteId, siteUuid, siteName, pageId, slug, title, locale, text, headline, rank }) => ({
    site: { id: siteId, uuid: siteUuid, name: siteName },
    page: { id: pageId, slug, title, locale },
    text,
    excerpt: excerptOf(headline, foundMarks),
    rank,
  }));
}
