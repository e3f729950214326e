import { countSharesInForce } from '../../../db/files/file-shares.js';
import { type FolderRow, findFolderSummaries } from '../../../db/files/folders.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { readerOf } from '../../kernel/who-reads.js';
import { mayChangeFolder, permissionsWith } from '../file-access.js';

/** A folder as an actor sees it. */
export interface FolderView extends FolderRow {
  permissions: number;
  /** How many links to the folder are in force. */
  shareCount: number;
}

/** The parent of a folder is null as well if the actor does not see it. */
export async function viewFolders(
  tx: Tx,
  actor: Actor,
  folders: readonly FolderRow[],
  now: Date,
): Promise<FolderView[]> {
  const ids = folders.map(({ id }) => id);
  const parentIds = [
    ...new Set(folders.flatMap(({ parentFolderId }) => (parentFolderId === null ? [] : [parentFolderId]))),
  ];
  const [parents, shares] = await Promise.all([
    findFolderSummaries(tx, parentIds, readerOf(actor)),
    countSharesInForce(tx, 'folder_id', ids, now),
  ]);
  return folders.map((folder) => ({
    ...folder,
    parentFolderId: parents.get(folder.parentFolderId ?? 0)?.id ?? null,
    permissions: permissionsWith(mayChangeFolder(actor, folder)),
    shareCount: shares.get(folder.id) ?? 0,
  }));
}

export async function viewFolder(tx: Tx, actor: Actor, folder: FolderRow, now: Date): Promise<FolderView> {
  const [view] = await viewFolders(tx, actor, [folder], now);
  if (view === undefined) throw new Error('a folder without a view');
  return view;
}
