import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { FileVersionModel, type FileVersionRow } from './models/file-version.js';

/** Finds a version by its number in a file. */
export async function findFileVersion(
  tx: EnteredTx,
  fileId: number,
  number: number,
): Promise<FileVersionRow | undefined> {
  return FileVersionModel.first(tx, 'file_id = ? and number = ?', [fileId, number]);
}

export async function selectFileVersions(
  tx: Tx,
  fileId: number,
  page: PageRequest<'number'>,
): Promise<PageOf<FileVersionRow>> {
  const query = FileVersionModel.query(tx).where({ file_id: fileId });
  const found = await readPage(query, page, 'number', 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function countVersionsOfFile(tx: Tx, fileId: number): Promise<number> {
  return FileVersionModel.count(tx, 'file_id = ?', [fileId]);
}

/** What is needed to serve the bytes of a version. */
export interface VersionBytes {
  objectUuid: string;
  sha256: Buffer;
  bytes: number;
  mimeType: string;
  filename: string;
}

/** A version of a file, and where its bytes are. */
export interface StoredVersion extends VersionBytes {
  fileId: number;
  /** Of the version in its file. */
  number: number;
}

/** Returns where the bytes of these versions are, by the id of the version. */
export async function findVersionBytes(
  tx: EnteredTx,
  versionIds: readonly number[],
): Promise<Map<number, StoredVersion>> {
  const rows = await prepared<StoredVersion & { id: number }>(
    tx,
    `select version.id, version.file_id as "fileId", version.number, object.uuid as "objectUuid", object.sha256, object.bytes,
       version.mime_type as "mimeType", version.filename
     from file_versions version join stored_objects object on object.id = version.object_id
     where version.id = any(?)`,
    [versionIds],
  );
  return new Map(rows.map(({ id, ...bytes }) => [id, bytes]));
}
