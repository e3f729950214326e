import type { Tx } from '../../../db/database.js';
import { findFolderPath } from '../../../db/files/folder-trees.js';
import { findFolder } from '../../../db/files/folders.js';
import type { Actor } from '../../kernel/actor.js';
import { InvalidInput } from '../../lib/errors.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';
import { readerOf, requireFolderChange } from '../file-access.js';
import { fileLimits } from '../limits.js';

export const reportingTakenSlugOfFolder = mappingUniqueViolation({
  constraint: 'folders_workspace_id_parent_folder_id_slug_key',
  pointer: '/slug',
  message: 'Another folder in the same place has this slug.',
});

/** Where folders are put that have this many levels, and the field that names the place. */
export interface Placing {
  levels: number;
  pointer: string;
}

/**
 * Checks that folders may be put into a folder, under the lock of the tree, and returns its path from itself up to the
 * root. @throws InvalidInput, Forbidden
 */
export async function checkPlace(
  tx: Tx,
  actor: Actor,
  parentFolderId: number,
  { levels, pointer }: Placing,
): Promise<number[]> {
  const parent = await findFolder(tx, parentFolderId, readerOf(actor));
  if (parent === undefined) throw InvalidInput.field(pointer, 'names no folder of this workspace');
  requireFolderChange(actor, parent);
  const path = await findFolderPath(tx, parent.id, fileLimits.folderLevels + 1);
  if (path.length + levels > fileLimits.folderLevels) {
    throw InvalidInput.field(pointer, `would make more than ${fileLimits.folderLevels} levels of folders`);
  }
  return path;
}
