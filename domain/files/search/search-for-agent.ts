import type { FileReader } from '../../../db/files/readable-files.js';
import { isStatementCancelled } from '../../../db/postgres-errors.js';
import { withSavepoint } from '../../../db/savepoint.js';
import type { Tx } from '../../../db/tx.js';
import { folderIdsAt } from '../folders/folder-ids-at.js';
import { findPagePassages, type PagePassage } from './find-page-passages.js';
import { type FoundPassages, findPassages, type Passage } from './find-passages.js';

export interface AgentSearch {
  query: string;
  /** Slugs from the root, joined by slashes; undefined: all files. */
  folderPath: string | undefined;
  /** Who may see what is found. */
  reader: FileReader;
}

export interface AgentFound extends Pick<FoundPassages, 'pendingFiles'> {
  /** The best first. */
  passages: (Passage | PagePassage)[];
}

/** About 2,000 tokens. */
const maxPassages = 5;

/**
 * Finds passages for an agent, of files that the reader may see and, unless it searches a folder, of the published pages of public sites.
 * @returns why nothing was searched: the folder is gone, or there is too much to rank
 */
export async function searchForAgent(
  tx: Tx,
  { query, folderPath, reader }: AgentSearch,
): Promise<AgentFound | 'not_found' | 'search_too_slow'> {
  const folderIds = folderPath === undefined ? null : await folderIdsAt(tx, folderPath);
  if (folderIds?.length === 0) return 'not_found';
  try {
    return await withSavepoint(tx, async () => {
      const search = { text: query, anyWord: true, limit: maxPassages };
      const { passages, pendingFiles } = await findPassages(tx, reader, { ...search, folderIds });
      const ofPages = folderIds === null ? await findPagePassages(tx, { ...search, allSites: false }) : [];
      const best = [...passages, ...ofPages]
        .sort((one, other) => other.rank - one.rank)
        .slice(0, maxPassages);
      return { passages: best, pendingFiles };
    });
  } catch (error) {
    if (isStatementCancelled(error)) return 'search_too_slow';
    throw error;
  }
}
