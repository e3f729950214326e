import { findFolderByPath, selectFoldersBelow } from '../../../db/files/folder-trees.js';
import type { Tx } from '../../../db/tx.js';
import { author } from '../../kernel/who-reads.js';

/**
 * Returns the ids of the folder at a path and of those below it, private ones as well: the author of a workflow has chosen
 * the folder, and who reads its files is checked file by file. Empty if there is no such folder.
 * @param path slugs from the root, joined by slashes
 */
export async function folderIdsAt(tx: Tx, path: string): Promise<number[]> {
  const id = await findFolderByPath(tx, path.split('/'));
  return id === undefined ? [] : selectFoldersBelow(tx, id, author);
}
