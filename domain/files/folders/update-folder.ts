import type { FileAccess } from '../../../db/files/files.js';
import { countFolderLevels, lockFolderTree } from '../../../db/files/folder-trees.js';
import { type FolderRow, lockFolder, patchFolder } from '../../../db/files/folders.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import { NotFound } from '../../lib/errors.js';
import { requireAccessChange, requireFolderChange } from '../file-access.js';
import { fileLimits } from '../limits.js';
import { checkPlace, reportingTakenSlugOfFolder } from './folder-places.js';
import { type FolderView, viewFolder } from './folder-view.js';

export interface UpdateFolder {
  name?: string;
  slug?: string;
  description?: string | null;
  /** Null: to the root. */
  parentFolderId?: number | null;
  access?: FileAccess;
}

/** Takes the locks of a change of a folder, in their order, within the transaction of `db`. */
export async function lockFolderForChange({ db, actor }: CommandContext, folderId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await lockFolderTree(tx);
    await lockFolder(tx, folderId, readerOf(actor));
  });
}

/** Locks a folder that the actor may change, and the tree before it. @throws NotFound, Forbidden */
export async function lockChangeableFolder(tx: Tx, actor: Actor, folderId: number): Promise<FolderRow> {
  await lockFolderTree(tx);
  const folder = await lockFolder(tx, folderId, readerOf(actor));
  if (folder === undefined) throw new NotFound('Folder');
  requireFolderChange(actor, folder);
  return folder;
}

/**
 * Changes or moves a folder. Moves take turns in a workspace, so that no two of them make a circle.
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function updateFolder(
  context: CommandContext,
  folderId: number,
  changes: UpdateFolder,
): Promise<FolderView> {
  const { db, actor, clock } = context;
  const now = clock.now();
  return reportingTakenSlugOfFolder(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const folder = await lockChangeableFolder(tx, actor, folderId);
      const { parentFolderId, access } = changes;
      if (access !== undefined) requireAccessChange(actor, folder.access, access);
      if (typeof parentFolderId === 'number' && parentFolderId !== folder.parentFolderId) {
        await checkMove(tx, actor, folder, parentFolderId);
      }
      if (!changesAnything(folder, changes)) return viewFolder(tx, actor, folder, now);
      if (access !== undefined && access !== folder.access) {
        recordAudit(tx, context, 'folder:access_changed', {
          subject: ['folder', folder.id],
          names: [access],
        });
      }
      return viewFolder(tx, actor, await patchFolder(tx, folder.id, changes, now), now);
    }),
  );
}

async function checkMove(tx: Tx, actor: Actor, { id }: FolderRow, parentFolderId: number): Promise<void> {
  const levels = await countFolderLevels(tx, id, fileLimits.folderLevels);
  const moved = { id, within: 'names the folder itself, or one within it' };
  await checkPlace(tx, actor, parentFolderId, { levels, pointer: '/parentFolderId', moved });
}

function changesAnything(folder: FolderRow, changes: UpdateFolder): boolean {
  return Object.entries(changes).some(
    ([field, value]) => value !== undefined && value !== folder[field as keyof FolderRow],
  );
}
