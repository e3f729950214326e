import { findFolderPath } from '../../../db/files/folder-trees.js';
import { type FolderRow, findFolder } from '../../../db/files/folders.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { readerOf } from '../../kernel/who-reads.js';
import { InvalidInput } from '../../lib/errors.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';
import { requireFolderChange } from '../file-access.js';
import { fileLimits } from '../limits.js';

export const reportingTakenSlugOfFolder = mappingUniqueViolation({
  constraint: 'folders_workspace_id_parent_folder_id_slug_key',
  pointer: '/slug',
  message: 'Another folder in the same place has this slug.',
});

/** Returns the folder that something is put into. @param pointer the field that names it @throws InvalidInput, Forbidden */
export async function requirePlace(
  tx: Tx,
  actor: Actor,
  folderId: number,
  pointer: string,
): Promise<FolderRow> {
  const folder = await findFolder(tx, folderId, readerOf(actor));
  if (folder === undefined) throw InvalidInput.field(pointer, 'names no folder of this workspace');
  requireFolderChange(actor, folder);
  return folder;
}

/** What is put into a folder, and the field that names the place. */
export interface Placing {
  /** Of the folders that are put there. */
  levels: number;
  pointer: string;
  /** The folder that is moved, and the error if the place is itself or within it. */
  moved?: { id: number; within: string };
}

/** Checks that folders may be put into a folder, which it returns, under the lock of the tree. @throws InvalidInput, Forbidden */
export async function checkPlace(
  tx: Tx,
  actor: Actor,
  parentFolderId: number,
  { levels, pointer, moved }: Placing,
): Promise<FolderRow> {
  const parent = await requirePlace(tx, actor, parentFolderId, pointer);
  const path = await findFolderPath(tx, parent.id, fileLimits.folderLevels + 1);
  // Its place is looked at first: a folder within itself would also be too deep.
  if (moved !== undefined && path.includes(moved.id)) throw InvalidInput.field(pointer, moved.within);
  if (path.length + levels > fileLimits.folderLevels) {
    throw InvalidInput.field(pointer, `would make more than ${fileLimits.folderLevels} levels of folders`);
  }
  return parent;
}
