import { type FileRow, lockFilesOfFolders, moveFilesOfFolder, removeFiles } from '../../../db/files/files.js';
import {
  countFolderLevels,
  type FolderBelow,
  lockFoldersBelow,
  removeFolders,
  reparentFolders,
} from '../../../db/files/folder-trees.js';
import type { FolderRow } from '../../../db/files/folders.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { type FileOperation, fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { Conflict } from '../../lib/errors.js';
import { requireFileChange, requireFolderChange } from '../file-access.js';
import { fileLimits } from '../limits.js';
import { checkPlace } from './folder-places.js';
import { lockChangeableFolder } from './update-folder.js';

/** What becomes of the contents of a folder: they go with it, or to another folder, or to the root (null). */
export type ContentsOfFolder = 'delete' | { moveTo: number | null };

interface Contents {
  /** The folder itself and those below it, the deepest first. */
  folders: FolderBelow[];
  files: FileRow[];
}

/**
 * Deletes a folder. What is in it is deleted or moved in the same transaction, up to a bound.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `folder_not_empty`, `folder_too_large`, `folder_slug_taken`
 */
export async function deleteFolder(
  { db, actor, clock }: CommandContext,
  folderId: number,
  contents?: ContentsOfFolder,
): Promise<void> {
  const now = clock.now();
  await reportingTakenSlugThere(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const folder = await lockChangeableFolder(tx, actor, folderId);
      const found = await lockContents(tx, folder, contents);
      if (contents === undefined) requireEmpty(found);
      else if (contents === 'delete') await deleteContents(tx, actor, found, now);
      else await moveContents(tx, actor, { folder, found, to: contents.moveTo }, now);
      const gone = contents === 'delete' ? found.folders.map(({ id }) => id) : [folder.id];
      await removeFolders(tx, gone);
    }),
  );
}

/** Nothing can be put into the folders from here on. */
async function lockContents(tx: Tx, { id }: FolderRow, contents?: ContentsOfFolder): Promise<Contents> {
  const most = fileLimits.contentsAtOnce;
  const folders = await lockFoldersBelow(tx, id, most + 2);
  const filled = contents === 'delete' ? folders.map((folder) => folder.id) : [id];
  const files = await lockFilesOfFolders(tx, filled, most + 1);
  if (contents !== undefined && (folders.length > most + 1 || files.length > most)) {
    const which = `A folder is deleted with up to ${most} folders and ${most} files in it.`;
    throw new Conflict('folder_too_large', `${which} Delete or move some of them first.`);
  }
  return { folders, files };
}

function requireEmpty({ folders, files }: Contents): void {
  if (folders.length === 1 && files.length === 0) return;
  throw new Conflict(
    'folder_not_empty',
    'The folder is not empty. Say with contents what becomes of what is in it.',
  );
}

/** @throws Forbidden */
function requireChangeable(actor: Actor, { folders, files }: Contents): void {
  for (const file of files) requireFileChange(actor, file);
  for (const folder of folders) requireFolderChange(actor, folder);
}

async function deleteContents(tx: Tx, actor: Actor, found: Contents, now: Date): Promise<void> {
  requireChangeable(actor, found);
  const { files } = found;
  await removeFiles(
    tx,
    files.map(({ id }) => id),
  );
  await reportFiles(tx, 'deleted', files, now);
}

async function moveContents(
  tx: Tx,
  actor: Actor,
  { folder, found, to }: { folder: FolderRow; found: Contents; to: number | null },
  now: Date,
): Promise<void> {
  requireChangeable(actor, found);
  if (to !== null) {
    const levels = (await countFolderLevels(tx, folder.id, fileLimits.folderLevels)) - 1;
    const moved = { id: folder.id, within: 'names a folder that is deleted, or is within it' };
    await checkPlace(tx, actor, to, { levels, pointer: '/contents', moved });
  }
  await reparentFolders(tx, folder.id, to, now);
  const moved = await moveFilesOfFolder(tx, folder.id, to, { byMemberId: actor.memberId, now });
  await reportFiles(tx, 'updated', moved, now);
}

async function reportFiles(tx: Tx, operation: FileOperation, files: readonly FileRow[], now: Date) {
  await writeEvents(
    tx,
    files.map((file) => fileEvent(operation, file)),
    now,
  );
}

async function reportingTakenSlugThere(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (violatedConstraint(error) !== 'folders_workspace_id_parent_folder_id_slug_key') throw error;
    throw new Conflict(
      'folder_slug_taken',
      'A folder there has the slug of one that would be moved there. Rename one of them first.',
    );
  }
}
