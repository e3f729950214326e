import type { FileAccess } from '../../../db/files/files.js';
import { countFolders, lockFolderTree } from '../../../db/files/folder-trees.js';
import { insertFolder } from '../../../db/files/folders.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { slugOfName } from '../../kernel/labels.js';
import { Conflict } from '../../lib/errors.js';
import { accessOfNew } from '../file-access.js';
import { fileLimits } from '../limits.js';
import { checkPlace, reportingTakenSlugOfFolder } from './folder-places.js';
import { type FolderView, viewFolder } from './folder-view.js';

export interface NewFolder {
  name: string;
  /** Default: made from the name. */
  slug?: string;
  description?: string;
  /** Null or left out: at the root. */
  parentFolderId?: number | null;
  /** Default: that of the parent, else private. */
  access?: FileAccess;
}

/** Creates a folder of the caller's. @throws InvalidInput, Forbidden, Conflict `too_many_folders` */
export async function createFolder(
  context: CommandContext,
  { name, slug = slugOfName(name), description, parentFolderId = null, access }: NewFolder,
): Promise<FolderView> {
  const { db, actor, clock } = context;
  const now = clock.now();
  return reportingTakenSlugOfFolder(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      await lockFolderTree(tx);
      if ((await countFolders(tx)) >= fileLimits.folders) {
        throw new Conflict('too_many_folders', `A workspace has at most ${fileLimits.folders} folders.`);
      }
      const parent =
        parentFolderId === null
          ? undefined
          : await checkPlace(tx, actor, parentFolderId, { levels: 1, pointer: '/parentFolderId' });
      const values = {
        name,
        slug,
        description: description ?? null,
        parentFolderId,
        access: accessOfNew(actor, parent, access),
        ownerMemberId: actor.memberId,
      };
      const folder = await insertFolder(tx, values, now);
      if (folder.access !== 'private') {
        const note = { subject: ['folder', folder.id], names: [folder.access] } as const;
        recordAudit(tx, context, 'folder:access_changed', note);
      }
      return viewFolder(tx, actor, folder, now);
    }),
  );
}
