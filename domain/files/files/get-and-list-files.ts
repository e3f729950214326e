import { type FileFilter, type FileSortField, selectFiles } from '../../../db/files/file-lists.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { plainText } from '../../lib/plain-text.js';
import { requireReadableFile, requireReadableFolder } from '../require-readable.js';
import { type FileView, viewFile, viewFiles } from './file-view.js';

export interface FileQuery extends Omit<FileFilter, 'folderId'> {
  folderId?: number;
  /** True: only files in no folder. */
  atRoot?: boolean;
  /** True: only the caller's own files. */
  mine?: boolean;
}

/** Returns a file that the caller may read. @throws NotFound */
export async function getFile({ db, actor, clock }: CommandContext, fileId: number): Promise<FileView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const file = await requireReadableFile(tx, actor, fileId);
    return viewFile(tx, actor, file, clock.now());
  });
}

/** Lists the files that the caller may read. */
export async function listFiles(
  { db, actor, clock }: CommandContext,
  { atRoot, mine, ...query }: FileQuery & PageRequest<FileSortField>,
): Promise<PageOf<FileView>> {
  const filter = {
    ...query,
    ...(query.externalId === undefined ? {} : { externalId: plainText(query.externalId) }),
    ...(atRoot === true ? { folderId: null } : {}),
    ...(mine === true ? { ownerId: [actor.memberId] } : {}),
  };
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await selectFiles(tx, filter, query, readerOf(actor));
    return { ...found, items: await viewFiles(tx, actor, found.items, clock.now()) };
  });
}

/** Lists the files of a folder that the caller sees, as far as it may read them. @throws NotFound */
export async function listFilesOfFolder(
  context: CommandContext,
  folderId: number,
  query: Omit<FileQuery, 'folderId' | 'atRoot'> & PageRequest<FileSortField>,
): Promise<PageOf<FileView>> {
  const { db, actor } = context;
  await db.readInWorkspace(actor.workspaceId, (tx) => requireReadableFolder(tx, actor, folderId));
  return listFiles(context, { ...query, folderId });
}
