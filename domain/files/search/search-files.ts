import { selectFoldersBelow } from '../../../db/files/folder-trees.js';
import { isStatementCancelled } from '../../../db/postgres-errors.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import { NotFound, Unavailable } from '../../lib/errors.js';
import { findPagePassages, type PagePassage } from './find-page-passages.js';
import { type FoundPassages, findPassages } from './find-passages.js';

export interface FileSearch {
  q: string;
  words: 'all' | 'any';
  /** Only files in this folder and in those below it. */
  folderId?: number;
  limit: number;
}

/** What a search of files has found, with passages of published pages. */
export interface FoundInFilesAndPages extends FoundPassages {
  pagePassages: PagePassage[];
}

/**
 * Finds passages of the files that the caller may read, and unless it searches a folder, of the published pages of sites.
 * @throws NotFound, Unavailable `search_too_slow`
 */
export async function searchFiles(
  { db, actor }: CommandContext,
  { q, words, folderId, limit }: FileSearch,
): Promise<FoundInFilesAndPages> {
  const reader = readerOf(actor);
  try {
    return await db.readInWorkspace(actor.workspaceId, async (tx) => {
      const folderIds = folderId === undefined ? null : await selectFoldersBelow(tx, folderId, reader);
      if (folderIds?.length === 0) throw new NotFound('Folder');
      const search = { text: q, anyWord: words === 'any', limit };
      const inFiles = await findPassages(tx, reader, { ...search, folderIds });
      // Whoever is known in the workspace reads all of its sites.
      const readsPages = folderIds === null && actor.hasScope('sites:read');
      const pagePassages = readsPages
        ? await findPagePassages(tx, { ...search, allSites: reader.readsWorkspace })
        : [];
      return { ...inFiles, pagePassages };
    });
  } catch (error) {
    if (!isStatementCancelled(error)) throw error;
    const message = 'The search found too much to rank in time. Use rarer words, or search a folder.';
    throw new Unavailable(message, 1, 'search_too_slow');
  }
}
