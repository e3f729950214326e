import { selectFoldersBelow } from '../../../db/files/folder-trees.js';
import { isCancelled } from '../../../db/violated-constraint.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound, Unavailable } from '../../lib/errors.js';
import { readerOf } from '../file-access.js';
import { type FoundPassages, findPassages } from './find-passages.js';

export interface FileSearch {
  q: string;
  words: 'all' | 'any';
  /** Only files in this folder and in those below it. */
  folderId?: number;
  limit: number;
}

/** Finds passages of the files that the caller may read. @throws NotFound, Unavailable `search_too_slow` */
export async function searchFiles(
  { db, actor }: CommandContext,
  { q, words, folderId, limit }: FileSearch,
): Promise<FoundPassages> {
  const reader = readerOf(actor);
  try {
    return await db.readInWorkspace(actor.workspaceId, async (tx) => {
      const folderIds = folderId === undefined ? null : await selectFoldersBelow(tx, folderId, reader);
      if (folderIds?.length === 0) throw new NotFound('Folder');
      return findPassages(tx, reader, { text: q, anyWord: words === 'any', folderIds, limit });
    });
  } catch (error) {
    if (!isCancelled(error)) throw error;
    const message = 'The search found too much to rank in time. Use rarer words, or search a folder.';
    throw new Unavailable(message, 1, 'search_too_slow');
  }
}
