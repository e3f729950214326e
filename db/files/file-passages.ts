import type { SearchWords } from '../lib/search-words.js';
import { withTimeLimit } from '../lib/time-limit.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { FilePassageModel } from './models/file-passage.js';
import type { FileReader } from './readable-files.js';

/** A page of a file's text, cut into passages. */
export interface PageOfPassages {
  page: number;
  passages: readonly string[];
}

/** Text search configurations that have stop words, by which the language of a text is told. */
const languagesWithStopWords = [
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'italian',
  'nepali',
  'norwegian',
  'portuguese',
  'russian',
  'spanish',
  'swedish',
  'turkish',
];
/** So much of a page is read to tell its language. */
const sampleCharacters = 600;
/** At least every seventh word of a text is a stop word of its language. */
const maxKept = 0.86;

/**
 * Stores the passages of pages in the place of earlier ones. The language of a page is the one that has the most of its
 * words as stop words; a page of few words has the given language.
 */
export async function replacePassages(
  tx: Tx,
  version: { id: number; fileId: number },
  pages: readonly PageOfPassages[],
  language: string,
): Promise<void> {
  const numbers = pages.map(({ page }) => page);
  const samples = pages.map(({ passages }) => passages.join(' ').slice(0, sampleCharacters));
  const rows = pages.flatMap(({ page, passages }) =>
    passages.map((text, ordinal) => ({ page, ordinal, text })),
  );
  const earlier = 'version_id = ? and page = any(?::integer[])';
  await FilePassageModel.deleteWhere(tx, earlier, [version.id, numbers]);
  await prepared(
    tx,
    `with pages as materialized (
       select page, coalesce((
         select name from unnest(?::text[]) name
         cross join lateral (select sum(cardinality(positions)) as kept
           from unnest(to_tsvector(name::regconfig, sample))) counted
         where coalesce(kept, 0) <= ?::float8 * (select sum(cardinality(positions)) from unnest(to_tsvector('simple', sample)))
         order by coalesce(kept, 0), name limit 1
       ), ?) as language
       from unnest(?::integer[], ?::text[]) as sampled(page, sample)
     )
     insert into file_passages (workspace_id, file_id, version_id, page, ordinal, text, language)
     select current_workspace(), ?::bigint, ?::bigint, page, ordinal, text, language
     from unnest(?::integer[], ?::integer[], ?::text[]) as given(page, ordinal, text) join pages using (page)`,
    [
      languagesWithStopWords,
      maxKept,
      language,
      numbers,
      samples,
      version.fileId,
      version.id,
      rows.map(({ page }) => page),
      rows.map(({ ordinal }) => ordinal),
      rows.map(({ text }) => text),
    ],
  );
}

/** Deletes the passages of these versions. */
export async function removePassages(tx: Tx, versionIds: readonly number[]): Promise<void> {
  await FilePassageModel.deleteWhere(tx, 'version_id = any(?)', [versionIds]);
}

/** Deletes the passages of all other versions of the file. */
export async function removeOtherPassages(
  tx: Tx,
  { id, fileId }: { id: number; fileId: number },
): Promise<void> {
  await FilePassageModel.deleteWhere(tx, 'file_id = ? and version_id <> ?', [fileId, id]);
}

export interface PassageSearch extends SearchWords {
  reader: FileReader;
  /** Null: files in any folder, and in none. */
  folderIds: readonly number[] | null;
  limit: number;
}

export interface FoundPassage {
  fileId: number;
  fileUuid: string;
  title: string;
  filename: string;
  mimeType: string;
  folderId: number | null;
  page: number;
  text: string;
  /** The text search configuration by which its words are read. */
  language: string;
  rank: number;
}

/** Of a query that matches more passages, so many are ranked. */
const maxRanked = 5_000;
/** A query of words that a million passages have takes longer. */
const searchMs = 3_000;

/**
 * Returns the passages with these words that the reader may see, the best first.
 * @throws an error that `isStatementCancelled` knows, after three seconds
 */
export async function searchPassages(tx: Tx, search: PassageSearch): Promise<FoundPassage[]> {
  return withTimeLimit(tx, searchMs, () => selectPassages(tx, search));
}

async function selectPassages(tx: Tx, search: PassageSearch): Promise<FoundPassage[]> {
  const { words, asWritten, reader, folderIds, limit } = search;
  // Passages are read after the search, under the policies of the caller: joined, the search would lose its index.
  return prepared<FoundPassage>(
    tx,
    `with hits as materialized (
       select passage_id, rank
       from best_file_passages(?::tsquery, ?::tsquery, ?, ?, ?, ?::bigint[], ${maxRanked}, ?)
     )
     select f.id as "fileId", f.uuid as "fileUuid", f.title, f.filename, f.mime_type as "mimeType",
       f.folder_id as "folderId", p.page, p.text, p.language, hits.rank
     from hits join file_passages p on p.id = hits.passage_id join files f on f.id = p.file_id
     order by hits.rank desc, p.id`,
    [words, asWritten, reader.memberId, reader.readsAll, reader.readsWorkspace, folderIds, limit],
  );
}
