import type { Tx } from '../../../db/database.js';
import { withSavepoint } from '../../../db/savepoint.js';
import { isCancelled } from '../../../db/violated-constraint.js';
import { folderIdsAt, noMember } from '../folders/folder-ids-at.js';
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

/**
 * Finds passages for an agent, of files that the member may see. The permission `files:read` of a member is not used:
 * what an agent finds is stored in the chat, where others read it.
 * @returns why nothing was searched: the folder is gone, or there is too much to rank
 */
export async function searchForAgent(
  tx: Tx,
  { query, folderPath, memberId }: AgentSearch,
): Promise<FoundPassages | 'not_found' | 'search_too_slow'> {
  const folderIds = folderPath === undefined ? null : await folderIdsAt(tx, folderPath);
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
