import type { Tx } from '../../../db/database.js';
import { findFolderByPath, selectFoldersBelow } from '../../../db/files/folder-trees.js';
import { withSavepoint } from '../../../db/savepoint.js';
import { isCancelled } from '../../../db/violated-constraint.js';
import { type FoundPassages, findPassages } from './find-passages.js';

export interface AgentSearch {
  query: string;
  /** Slugs from the root, joined by slashes; undefined: all files. */
  folderPath: string | undefined;
  /** Who may see what is found; null: every member. */
  memberId: number | null;
}

/** About 2,000 tokens. */
const mostPassages = 5;
/** No member has this id, so its reader sees only what every member may see. */
const noMember = 0;

/**
 * Finds passages for an agent, of files that the member may see. The permission `files:read` of a member is not used:
 * what an agent finds is stored in the chat, where others read it.
 * @returns why nothing was searched: the folder is gone, or there is too much to rank
 */
export async function searchForAgent(
  tx: Tx,
  { query, folderPath, memberId }: AgentSearch,
): Promise<FoundPassages | 'not_found' | 'search_too_slow'> {
  const folderIds = folderPath === undefined ? null : await foldersOf(tx, folderPath);
  if (folderIds?.length === 0) return 'not_found';
  const reader = { memberId: memberId ?? noMember, readsAll: false };
  try {
    return await withSavepoint(tx, () =>
      findPassages(tx, reader, { text: query, anyWord: true, folderIds, limit: mostPassages }),
    );
  } catch (error) {
    if (isCancelled(error)) return 'search_too_slow';
    throw error;
  }
}

/** The author of the workflow has chosen the folder: who sees the folder does not matter, who reads its files does. */
async function foldersOf(tx: Tx, folderPath: string): Promise<number[]> {
  const id = await findFolderByPath(tx, folderPath.split('/'));
  return id === undefined ? [] : selectFoldersBelow(tx, id, { memberId: noMember, readsAll: true });
}
