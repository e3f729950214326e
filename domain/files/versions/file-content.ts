import { findVersionBytes, type VersionBytes } from '../../../db/files/file-versions.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { requireReadableFile } from '../require-readable.js';
import { requireVersion } from './file-versions.js';

/** Returns what is needed to serve the bytes of a file's current version, or of another one. @throws NotFound */
export async function getFileContent(
  { db, actor }: CommandContext,
  fileId: number,
  number?: number,
): Promise<VersionBytes> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const file = await requireReadableFile(tx, actor, fileId);
    const versionId =
      number === undefined ? file.currentVersionId : (await requireVersion(tx, file.id, number)).id;
    const content = (await findVersionBytes(tx, [versionId])).get(versionId);
    if (content === undefined) throw new NotFound('File version');
    return content;
  });
}
