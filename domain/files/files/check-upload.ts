import { findFile } from '../../../db/files/files.js';
import { findFolder } from '../../../db/files/folders.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { readerOf, requireAccessChange, requireFileChange, requireFolderChange } from '../file-access.js';
import type { NewFile } from './create-file.js';

/**
 * Checks what `createFile` will refuse, before the bytes are stored for nothing. @throws InvalidInput, Forbidden
 */
export async function checkNewFile(
  { db, actor }: CommandContext,
  { folderId, access }: NewFile,
): Promise<void> {
  if (folderId === undefined) return requireAccessChange(actor, 'private', access ?? 'private');
  const folder = await db.readInWorkspace(actor.workspaceId, (tx) =>
    findFolder(tx, folderId, readerOf(actor)),
  );
  if (folder === undefined) throw InvalidInput.field('/folderId', 'names no folder of this workspace');
  requireFolderChange(actor, folder);
  requireAccessChange(actor, folder.access, access ?? folder.access);
}

/** Checks that the caller may add versions to a file. @throws NotFound, Forbidden */
export async function checkNewVersion({ db, actor }: CommandContext, fileId: number): Promise<void> {
  const file = await db.readInWorkspace(actor.workspaceId, (tx) => findFile(tx, fileId, readerOf(actor)));
  if (file === undefined) throw new NotFound('File');
  requireFileChange(actor, file);
}
