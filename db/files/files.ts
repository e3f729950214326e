import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { FileModel, type FileRow } from './models/file.js';
import { FileVersionModel, type FileVersionRow } from './models/file-version.js';
import { type FileReader, fileReadableBy } from './readable-files.js';

export type { FileAccess, FileKind, FileRow } from './models/file.js';
export type { FileVersionRow } from './models/file-version.js';

/** Returns the file if the reader may read it. */
export async function findFile(tx: EnteredTx, id: number, reader: FileReader): Promise<FileRow | undefined> {
  const { text, bindings } = fileReadableBy(reader);
  return FileModel.first(tx, `files.id = ? and ${text}`, [id, ...bindings]);
}

/** `findFile`, and locks the row until the transaction ends, as all changes of a file and of its versions do. */
export async function lockFile(tx: Tx, id: number, reader: FileReader): Promise<FileRow | undefined> {
  const { text, bindings } = fileReadableBy(reader);
  const readable = `files.id = ? and ${text} for no key update of files`;
  const [row] = await FileModel.where(tx, readable, [id, ...bindings]);
  return row;
}

type Owned = 'ownerMemberId' | 'access' | 'source' | 'choicePrompt' | 'externalId' | 'folderId';
export type NewFileValues = Pick<FileRow, 'title' | 'description' | Owned | 'lastEditedByMemberId'>;
export type VersionContent = Pick<FileVersionRow, 'objectId' | 'filename' | 'mimeType' | 'kind' | 'fileSize'>;

/** Inserts a file together with its first version: neither is ever there without the other. */
export async function insertFile(
  tx: Tx,
  values: NewFileValues,
  content: VersionContent,
  now: Date,
): Promise<FileRow> {
  const [ids] = await prepared<{ versionId: number }>(
    tx,
    `select nextval('file_versions_id_seq') as "versionId"`,
    [],
  );
  if (ids === undefined) throw new Error('the sequence of versions gave no id');
  const { objectId, ...described } = content;
  const file = await FileModel.insert(tx, {
    ...values,
    ...described,
    currentVersionId: ids.versionId,
    createdAt: now,
    updatedAt: now,
  });
  await FileVersionModel.insert(tx, {
    id: ids.versionId,
    fileId: file.id,
    number: 1,
    objectId,
    ...described,
    uploadedByMemberId: values.lastEditedByMemberId,
    createdAt: now,
  });
  return file;
}

/** Adds a version, which becomes the current one of a locked file. */
export async function insertVersion(
  tx: Tx,
  file: FileRow,
  content: VersionContent,
  { byMemberId, now }: { byMemberId: number | null; now: Date },
): Promise<{ file: FileRow; version: FileVersionRow }> {
  const { objectId: _, ...described } = content;
  const version = await FileVersionModel.insert(tx, {
    ...content,
    fileId: file.id,
    number: file.currentVersionNumber + 1,
    uploadedByMemberId: byMemberId,
    createdAt: now,
  });
  const changed = await FileModel.patch(tx, file.id, {
    ...described,
    currentVersionId: version.id,
    currentVersionNumber: version.number,
    lastEditedByMemberId: byMemberId,
    updatedAt: now,
  });
  return { file: changed, version };
}

export async function patchFile(
  tx: Tx,
  id: number,
  changes: Partial<Omit<FileRow, 'id' | 'workspaceId' | 'uuid' | 'createdAt'>>,
): Promise<FileRow> {
  return FileModel.patch(tx, id, changes);
}

/** Deletes files with their versions, whose objects are doomed. */
export async function removeFiles(tx: Tx, ids: readonly number[]): Promise<void> {
  await FileModel.deleteWhere(tx, 'id = any(?)', [ids]);
}

/** Locks the files of these folders for their deletion, and returns them, at most `most`. */
export async function lockFilesOfFolders(
  tx: Tx,
  folderIds: readonly number[],
  most: number,
): Promise<FileRow[]> {
  return FileModel.where(tx, 'folder_id = any(?) order by id limit ? for update', [folderIds, most]);
}

/** Moves the files of a folder to another, or out of folders, and returns them. */
export async function moveFilesOfFolder(
  tx: Tx,
  fromFolderId: number,
  toFolderId: number | null,
  { byMemberId, now }: { byMemberId: number; now: Date },
): Promise<FileRow[]> {
  const changes = { folderId: toFolderId, lastEditedByMemberId: byMemberId, updatedAt: now };
  return FileModel.updateReturning(tx, changes, 'folder_id = ?', [fromFolderId]);
}
