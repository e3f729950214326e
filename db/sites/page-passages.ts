import type { SearchWords } from '../lib/search-words.js';
import { withTimeLimit } from '../lib/time-limit.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { PagePassageModel } from './models/page-passage.js';
import { SitePageDocumentModel } from './models/site-page-document.js';

/** What of a published page is searched. */
export interface PublishedDocument {
  id: number;
  pageId: number;
  siteId: number;
  locale: string;
  publishedVersion: number;
  publishedTitle: string;
  publishedContent: Record<string, unknown>;
}

const published = `id, page_id as "pageId", site_id as "siteId", locale, published_version as "publishedVersion",
  published_title as "publishedTitle", published_content as "publishedContent"`;
const isUnindexed = 'published_version is not null and indexed_version is distinct from published_version';

/** The documents of a page whose published version is not searched yet. */
export async function selectUnindexedOfPage(tx: Tx, pageId: number): Promise<PublishedDocument[]> {
  return prepared(tx, `select ${published} from site_page_documents where page_id = ? and ${isUnindexed}`, [
    pageId,
  ]);
}

/** The next documents whose published version is not searched yet: copies, and those of an earlier release. */
export async function selectUnindexed(tx: Tx, limit: number): Promise<PublishedDocument[]> {
  return prepared(
    tx,
    `select ${published} from site_page_documents where ${isUnindexed} order by id limit ? for no key update skip locked`,
    [limit],
  );
}

/** Stores the passages of a published document in the place of earlier ones. @param language a text search configuration of PostgreSQL */
export async function replacePagePassages(
  tx: Tx,
  { id, pageId, siteId, publishedVersion }: PublishedDocument,
  passages: readonly string[],
  language: string,
): Promise<void> {
  await PagePassageModel.deleteWhere(tx, 'document_id = ?', [id]);
  await prepared(
    tx,
    `insert into page_passages (workspace_id, site_id, page_id, document_id, ordinal, text, language)
     select current_workspace(), ?::bigint, ?::bigint, ?::bigint, place, text, ?
     from unnest(?::text[]) with ordinality as given(text, place)`,
    [siteId, pageId, id, language, passages],
  );
  await SitePageDocumentModel.updateWhere(tx, { indexedVersion: publishedVersion }, 'id = ?', [id]);
}

/** Deletes the passages of a page, which visitors do not read any more. */
export async function removePagePassages(tx: Tx, pageId: number): Promise<void> {
  await PagePassageModel.deleteWhere(tx, 'page_id = ?', [pageId]);
  await SitePageDocumentModel.updateWhere(tx, { indexedVersion: null }, 'page_id = ?', [pageId]);
}

export interface PagePassageSearch extends SearchWords {
  /** False: of public sites only. */
  allSites: boolean;
  limit: number;
}

export interface FoundPagePassage {
  pageId: number;
  siteId: number;
  siteUuid: string;
  siteName: string;
  slug: string;
  title: string;
  locale: string;
  text: string;
  /** The text search configuration by which its words are read. */
  language: string;
  rank: number;
}

const maxRanked = 5_000;
const searchMs = 3_000;

/**
 * Returns the passages of published pages with these words, the best first, in the locales that their sites have.
 * @throws an error that `isStatementCancelled` knows, after three seconds
 */
export async function searchPagePassages(tx: Tx, search: PagePassageSearch): Promise<FoundPagePassage[]> {
  const { words, asWritten, allSites, limit } = search;
  return withTimeLimit(tx, searchMs, () =>
    // Passages are read after the search, under the policies of the caller: joined, the search would lose its index.
    prepared<FoundPagePassage>(
      tx,
      `with hits as materialized (
         select passage_id, rank from best_page_passages(?::tsquery, ?::tsquery, ?, ${maxRanked}, ?)
       )
       select g.id as "pageId", s.id as "siteId", s.uuid as "siteUuid", s.name as "siteName", g.slug,
         d.published_title as title, d.locale, p.text, p.language, hits.rank
       from hits join page_passages p on p.id = hits.passage_id
         join site_page_documents d on d.id = p.document_id
         join site_pages g on g.id = p.page_id
         join sites s on s.id = p.site_id
       where g.published_at is not null and d.published_version is not null and d.locale = any(s.available_locales)
       order by hits.rank desc, p.id`,
      [words, asWritten, allSites, limit],
    ),
  );
}
