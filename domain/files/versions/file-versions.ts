import { findFileVersion, selectFileVersions } from '../../../db/files/file-versions.js';
import type { FileRow, FileVersionRow } from '../../../db/files/files.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireReadableFile } from '../require-readable.js';

export interface VersionView extends FileVersionRow {
  isCurrent: boolean;
}

export function viewVersion(version: FileVersionRow, file: Pick<FileRow, 'currentVersionId'>): VersionView {
  return { ...version, isCurrent: version.id === file.currentVersionId };
}

/** @throws NotFound */
export async function requireVersion(tx: Tx, fileId: number, number: number): Promise<FileVersionRow> {
  const version = await findFileVersion(tx, fileId, number);
  if (version === undefined) throw new NotFound('File version');
  return version;
}

/** Lists the versions of a file that the caller may read. @throws NotFound */
export async function listFileVersions(
  { db, actor }: CommandContext,
  fileId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<VersionView>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const file = await requireReadableFile(tx, actor, fileId);
    const found = await selectFileVersions(tx, file.id, page);
    return { ...found, items: found.items.map((version) => viewVersion(version, file)) };
  });
}
