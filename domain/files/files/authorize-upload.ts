import type { CommandContext } from '../../kernel/context.js';
import { accessOfNew, requireFileChange } from '../file-access.js';
import { requirePlace } from '../folders/folder-places.js';
import { requireReadableFile } from '../require-readable.js';
import type { NewFile } from './create-file.js';

/**
 * Checks what `createFile` will refuse, before the bytes are stored for nothing. @throws InvalidInput, Forbidden
 */
export async function authorizeNewFile(
  { db, actor }: CommandContext,
  { folderId, access }: NewFile,
): Promise<void> {
  const folder =
    folderId === undefined
      ? undefined
      : await db.readInWorkspace(actor.workspaceId, (tx) => requirePlace(tx, actor, folderId, '/folderId'));
  accessOfNew(actor, folder, access);
}

/** Checks that the caller may add versions to a file. @throws NotFound, Forbidden */
export async function authorizeNewVersion({ db, actor }: CommandContext, fileId: number): Promise<void> {
  const file = await db.readInWorkspace(actor.workspaceId, (tx) => requireReadableFile(tx, actor, fileId));
  requireFileChange(actor, file);
}
