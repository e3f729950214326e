import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { FileVersionModel, type FileVersionRow } from './models/file-version.js';
import { type FileReader, fileReadableBy } from './readable-files.js';

export interface IndexedVersion
  extends Pick<
    FileVersionRow,
    | 'id'
    | 'uuid'
    | 'fileId'
    | 'mimeType'
    | 'fileSize'
    | 'indexingState'
    | 'indexingReason'
    | 'indexingAttempts'
    | 'indexedPages'
  > {
  objectUuid: string;
  /** Whether it is the current version of its file. */
  isCurrent: boolean;
}

const selection = `select version.id, version.uuid, version.file_id as "fileId", version.mime_type as "mimeType",
    version.file_size as "fileSize", version.indexing_state as "indexingState",
    version.indexing_reason as "indexingReason", version.indexing_attempts as "indexingAttempts",
    version.indexed_pages as "indexedPages", object.uuid as "objectUuid",
    files.current_version_id = version.id as "isCurrent"
  from file_versions version
  join files on files.id = version.file_id
  join stored_objects object on object.id = version.object_id
  where version.id = ?`;

export async function findIndexedVersion(tx: Tx, versionId: number): Promise<IndexedVersion | undefined> {
  const [row] = await prepared<IndexedVersion>(tx, selection, [versionId]);
  return row;
}

/** `findIndexedVersion`, and locks the version until the transaction ends. */
export async function lockIndexedVersion(tx: Tx, versionId: number): Promise<IndexedVersion | undefined> {
  const [row] = await prepared<IndexedVersion>(tx, `${selection} for no key update of version`, [versionId]);
  return row;
}

/** How far the indexing of a version is. */
export interface IndexingOfVersion {
  state: FileVersionRow['indexingState'];
  reason: string | null;
  /** How many pages, or parts, can be searched. */
  pages: number;
}

/** Returns how far the indexing of these versions is, by the id of the version. */
export async function findIndexing(
  tx: EnteredTx,
  versionIds: readonly number[],
): Promise<Map<number, IndexingOfVersion>> {
  const fields = ['id', 'indexingState', 'indexingReason', 'indexedPages'] as const;
  const rows = await FileVersionModel.pick(tx, fields, 'id = any(?)', [versionIds]);
  return new Map(
    rows.map(({ id, indexingState, indexingReason, indexedPages }) => [
      id,
      { state: indexingState, reason: indexingReason, pages: indexedPages },
    ]),
  );
}

type IndexingChanges = Partial<
  Pick<FileVersionRow, 'indexingState' | 'indexingReason' | 'indexingAttempts' | 'indexedPages'>
>;

export async function patchIndexing(tx: Tx, versionId: number, changes: IndexingChanges): Promise<void> {
  await FileVersionModel.updateWhere(tx, changes, 'id = ?', [versionId]);
}

/** A version that waits to be indexed. */
export interface PendingVersion {
  id: number;
  uuid: string;
}

/** Returns versions that wait to be indexed, in the order of their ids. */
export async function selectPendingVersions(
  tx: Tx,
  page: { after: number; limit: number },
): Promise<PendingVersion[]> {
  const pending = `indexing_state = 'pending' and id > ? order by id limit ?`;
  return FileVersionModel.pick(tx, ['id', 'uuid'], pending, [page.after, page.limit]);
}

/** Counts the versions that wait to be indexed, up to `most`. */
export async function countPendingVersions(tx: Tx, most: number): Promise<number> {
  return FileVersionModel.countUpTo(tx, most, `indexing_state = 'pending'`);
}

/** So many of the newest versions that wait are looked at for `countPendingFiles`. */
const maxPendingLookedAt = 2_000;

/**
 * Counts the files that the reader may read and whose current version waits to be indexed, among the newest such
 * versions. @param folderIds null: in any folder, and in none
 */
export async function countPendingFiles(
  tx: Tx,
  reader: FileReader,
  folderIds: readonly number[] | null,
): Promise<number> {
  const readable = fileReadableBy(reader);
  const [row] = await prepared<{ count: number }>(
    tx,
    `with waiting as materialized (
       select id from file_versions where indexing_state = 'pending' order by id desc limit ${maxPendingLookedAt}
     )
     select count(*) as count from waiting join files on files.current_version_id = waiting.id
     where (?::bigint[] is null or files.folder_id = any(?::bigint[])) and ${readable.text}`,
    [folderIds, folderIds, ...readable.bindings],
  );
  return row?.count ?? 0;
}
