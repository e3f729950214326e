import { readSearchWords } from '../../../db/lib/search-words.js';
import { searchPagePassages } from '../../../db/sites/page-passages.js';
import type { Tx } from '../../../db/tx.js';
import { excerptsOf } from '../../kernel/excerpts.js';
import type { ExcerptPart } from '../../lib/excerpt.js';

/** A part of a published page of a site. */
export interface PagePassage {
  site: { id: number; uuid: string; name: string };
  page: { id: number; slug: string; title: string; locale: string };
  text: string;
  excerpt: ExcerptPart[];
  /** As that of passages of files. */
  rank: number;
}

export interface PageQuery {
  /** As people write it. */
  text: string;
  anyWord: boolean;
  /** False: of public sites only. */
  allSites: boolean;
  limit: number;
}

/**
 * Finds passages of what visitors read of the sites of the workspace, the best first.
 * @throws an error that `isStatementCancelled` knows, if there is too much to rank
 */
export async function findPagePassages(
  tx: Tx,
  { text: query, anyWord, allSites, limit }: PageQuery,
): Promise<PagePassage[]> {
  const search = await readSearchWords(tx, 'page', query, anyWord);
  if (search.words === '') return [];
  const found = await searchPagePassages(tx, { ...search, allSites, limit });
  const excerpts = await excerptsOf(tx, query, search.words, found);
  return found.map(({ siteId, siteUuid, siteName, pageId, slug, title, locale, text, rank }, index) => ({
    site: { id: siteId, uuid: siteUuid, name: siteName },
    page: { id: pageId, slug, title, locale },
    text,
    excerpt: excerpts[index] ?? [],
    rank,
  }));
}
