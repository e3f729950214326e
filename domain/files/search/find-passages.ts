import { countPendingFiles } from '../../../db/files/file-indexing.js';
import { searchPassages } from '../../../db/files/file-passages.js';
import type { FileReader } from '../../../db/files/readable-files.js';
import { readSearchWords } from '../../../db/lib/search-words.js';
import type { Tx } from '../../../db/tx.js';
import { excerptsOf } from '../../kernel/excerpts.js';
import type { ExcerptPart } from '../../lib/excerpt.js';
import { hasPages } from '../indexing/indexing.js';

export interface PassageQuery {
  /** As people write it: "exact words", or, -without. */
  text: string;
  /** True: a passage with any of the words is found, and exact words are not heeded. */
  anyWord: boolean;
  /** Null: in any folder, and in none. */
  folderIds: readonly number[] | null;
  limit: number;
}

export interface Passage {
  file: { id: number; uuid: string; title: string; filename: string; mimeType: string };
  /** From 1; null: files of this kind have no pages. */
  page: number | null;
  text: string;
  excerpt: ExcerptPart[];
  /** How well it fits; of all passages that are searched for the same words. */
  rank: number;
}

export interface FoundPassages {
  passages: Passage[];
  /** How many files that the reader may read, among those searched, wait for their text to be read. */
  pendingFiles: number;
}

/**
 * Finds the passages of files that the reader may read, the best first.
 * @throws an error that `isStatementCancelled` knows, if there is too much to rank
 */
export async function findPassages(tx: Tx, reader: FileReader, query: PassageQuery): Promise<FoundPassages> {
  const { text: asked, anyWord, folderIds, limit } = query;
  const [search, pendingFiles] = await Promise.all([
    readSearchWords(tx, 'file', asked, anyWord),
    countPendingFiles(tx, reader, folderIds),
  ]);
  if (search.words === '') return { passages: [], pendingFiles };
  const found = await searchPassages(tx, { ...search, reader, folderIds, limit });
  const excerpts = await excerptsOf(tx, asked, search.words, found);
  const passages = found.map(({ fileId, fileUuid, title, filename, mimeType, page, text, rank }, index) => ({
    file: { id: fileId, uuid: fileUuid, title, filename, mimeType },
    page: hasPages(mimeType) ? page : null,
    text,
    excerpt: excerpts[index] ?? [],
    rank,
  }));
  return { passages, pendingFiles };
}
