import { type FolderSortField, selectFolders } from '../../../db/files/folders.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireReadableFolder } from '../require-readable.js';
import { type FolderView, viewFolder, viewFolders } from './folder-view.js';

export interface FolderQuery extends PageRequest<FolderSortField> {
  parentFolderId?: number;
  /** True: only folders at the root. */
  atRoot?: boolean;
  search?: string;
}

/** Lists the folders that the caller sees. Their `parentFolderId` makes them a tree. */
export async function listFolders(
  { db, actor, clock }: CommandContext,
  { atRoot, ...query }: FolderQuery,
): Promise<PageOf<FolderView>> {
  const filter = { ...query, ...(atRoot === true ? { parentFolderId: null } : {}) };
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await selectFolders(tx, filter, query, readerOf(actor));
    return { ...found, items: await viewFolders(tx, actor, found.items, clock.now()) };
  });
}

/** Returns a folder that the caller sees. @throws NotFound */
export async function getFolder({ db, actor, clock }: CommandContext, folderId: number): Promise<FolderView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const folder = await requireReadableFolder(tx, actor, folderId);
    return viewFolder(tx, actor, folder, clock.now());
  });
}
