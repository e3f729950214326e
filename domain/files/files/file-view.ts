import { findIndexing, type IndexingOfVersion } from '../../../db/files/file-indexing.js';
import { type FileLabel, labelsOfFiles } from '../../../db/files/file-labels.js';
import { countSharesInForce } from '../../../db/files/file-shares.js';
import { findVersionBytes, type VersionBytes } from '../../../db/files/file-versions.js';
import type { FileRow } from '../../../db/files/files.js';
import { type FolderSummary, findFolderSummaries } from '../../../db/files/folders.js';
import type { EnteredTx, Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { readerOf } from '../../kernel/who-reads.js';
import { accessModeOf, mayChangeFile, permissionsWith } from '../file-access.js';

/** A file as an actor sees it. */
export interface FileView extends FileRow {
  /** Null: the file is in none, or in one that the actor does not see. */
  folder: FolderSummary | null;
  labels: FileLabel[];
  /** How many links to the file are in force. */
  shareCount: number;
  accessMode: number;
  permissions: number;
  /** The bytes of the current version. */
  content: VersionBytes;
  /** How far the text of the current version can be searched. */
  indexing: IndexingOfVersion;
}

export async function viewFiles(
  tx: EnteredTx,
  actor: Actor,
  files: readonly FileRow[],
  now: Date,
): Promise<FileView[]> {
  if (files.length === 0) return [];
  const ids = files.map(({ id }) => id);
  const folderIds = [...new Set(files.flatMap(({ folderId }) => (folderId === null ? [] : [folderId])))];
  const versionIds = files.map(({ currentVersionId }) => currentVersionId);
  const [folders, labels, shares, contents, indexings] = await Promise.all([
    findFolderSummaries(tx as Tx, folderIds, readerOf(actor)),
    labelsOfFiles(tx as Tx, ids),
    countSharesInForce(tx, 'file_id', ids, now),
    findVersionBytes(tx, versionIds),
    findIndexing(tx, versionIds),
  ]);
  return files.map((file) => {
    const content = contents.get(file.currentVersionId);
    const indexing = indexings.get(file.currentVersionId);
    if (content === undefined || indexing === undefined)
      throw new Error(`file ${file.id} has no current version`);
    const folder = file.folderId === null ? undefined : folders.get(file.folderId);
    return {
      ...file,
      folderId: folder?.id ?? null,
      folder: folder ?? null,
      labels: labels.get(file.id) ?? [],
      shareCount: shares.get(file.id) ?? 0,
      accessMode: accessModeOf(file),
      permissions: permissionsWith(mayChangeFile(actor, file)),
      content,
      indexing,
    };
  });
}

export async function viewFile(tx: EnteredTx, actor: Actor, file: FileRow, now: Date): Promise<FileView> {
  const [view] = await viewFiles(tx, actor, [file], now);
  if (view === undefined) throw new Error('a file without a view');
  return view;
}
