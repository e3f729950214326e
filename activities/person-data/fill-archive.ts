import type { Readable } from 'node:stream';
import { selectRecordingSegments } from '../../db/calls/call-recordings.js';
import { personTables } from '../../db/person-data/catalogue.js';
import {
  type ExportedObject,
  type ExportedTable,
  exportedObjects,
  exportedRows,
  exportedTables,
  selectExportedRecordings,
} from '../../db/person-data/exported-rows.js';
import type { Tx } from '../../db/tx.js';
import { assembleRecording, type RecordingFile } from '../../domain/calls/recordings/assemble-recording.js';
import { RecordingBytes } from '../../domain/calls/recordings/recording-bytes.js';
import { objectKey } from '../../domain/files/object-store.js';
import { pathOfBytes } from '../../domain/person-data/exports/archive-path.js';
import type { ArchiveCounts, ExportAttempt } from '../../domain/person-data/exports/build-export.js';
import { exportLimits } from '../../domain/person-data/exports/limits.js';
import { type Storage, StorageMissing } from '../../providers/storage/storage.js';
import type { ZipArchive } from './zip-archive.js';

/** There is more than an archive takes. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge';
}

export interface ArchiveSource {
  attempt: ExportAttempt;
  workspaceUuid: string;
  storage: Pick<Storage, 'get' | 'head'>;
  read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** A file that is not in the archive. */
interface LeftOut {
  versionOf: string;
  reason: 'missing' | 'archive_full';
}

/** How many of them the manifest names. */
const maxNamed = 1_000;
/** Room for rows and the end of the archive, which are counted before they are compressed. */
const spareBytes = 64 * 1_048_576;

/** Writes what is stored about a person into an archive: rows as JSON Lines, the bytes of files, and a manifest. */
export async function fillArchive(archive: ZipArchive, source: ArchiveSource): Promise<ArchiveCounts> {
  const { attempt, workspaceUuid, storage, read } = source;
  const contents: { file: string; rows: number }[] = [];
  let written = 0;
  let rowCount = 0;
  let fileCount = 0;
  const leftOut: LeftOut[] = [];
  let leftOutCount = 0;

  for (const table of exportedTables(attempt.includesInternal)) {
    const file = `${table.area}/${table.exported.file}.jsonl`;
    const rows = await addRows(file, table);
    contents.push({ file, rows });
    rowCount += rows;
  }
  for await (const object of exportedObjects(read, attempt.person)) {
    count(pathOfBytes(object.id, object.filename), await addBytes(object));
  }
  for (const { id, callId } of await read((tx) => selectExportedRecordings(tx, attempt.person))) {
    const path = `recordings/${callId}.wav`;
    count(
      path,
      await addRecording(path, assembleRecording(await read((tx) => selectRecordingSegments(tx, id)))),
    );
  }
  await archive.add('manifest.json', manifest(), { compress: true });
  return { rowCount, fileCount, leftOutCount };

  async function addRows(file: string, table: ExportedTable): Promise<number> {
    let count = 0;
    let bytes = 0;
    async function* lines() {
      for await (const found of exportedRows(read, table, attempt)) {
        const text = Buffer.from(`${found.join('\n')}\n`);
        bytes += text.length;
        if (bytes > exportLimits.entryBytes) throw new ArchiveTooLarge();
        count += found.length;
        yield text;
      }
    }
    await archive.add(file, lines(), { compress: true });
    written += bytes;
    return count;
  }

  function count(path: string, reason: LeftOut['reason'] | undefined): void {
    if (reason === undefined) {
      fileCount += 1;
      return;
    }
    leftOutCount += 1;
    if (leftOut.length < maxNamed) leftOut.push({ versionOf: path, reason });
  }

  /** A part whose object is gone would end the file early, so that the recording is missing as a whole. */
  async function addRecording(
    path: string,
    recording: RecordingFile,
  ): Promise<LeftOut['reason'] | undefined> {
    if (!hasRoom(recording.bytes)) return 'archive_full';
    const objects = recording.parts.flatMap(({ object }) => (object === undefined ? [] : [object.uuid]));
    for (const uuid of objects) {
      if ((await storage.head(objectKey(workspaceUuid, uuid))) === undefined) return 'missing';
    }
    const bytes = new RecordingBytes(recording, (uuid, part) =>
      storage.get(objectKey(workspaceUuid, uuid), part),
    );
    try {
      await archive.add(path, bytes, { compress: false });
    } finally {
      bytes.destroy();
    }
    written += recording.bytes;
    return undefined;
  }

  function hasRoom(bytes: number): boolean {
    return written + bytes + spareBytes <= exportLimits.archiveBytes && fileCount < exportLimits.files;
  }

  async function addBytes(object: ExportedObject): Promise<LeftOut['reason'] | undefined> {
    if (!hasRoom(object.bytes)) return 'archive_full';
    const bytes = await opened(object);
    if (bytes === undefined) return 'missing';
    try {
      const compress = /^(text\/|application\/(json|xml)$)/.test(object.mimeType);
      await archive.add(pathOfBytes(object.id, object.filename), bytes, { compress });
    } finally {
      bytes.destroy();
    }
    written += object.bytes;
    return undefined;
  }

  async function opened({ uuid }: ExportedObject): Promise<Readable | undefined> {
    try {
      return await storage.get(objectKey(workspaceUuid, uuid));
    } catch (error) {
      if (error instanceof StorageMissing) return undefined;
      throw error;
    }
  }

  async function* manifest() {
    const { person, includesInternal, createdAt } = attempt;
    const notIncluded = personTables.flatMap(({ name, exported }) =>
      'not' in exported ? [{ store: name, why: exported.not }] : [],
    );
    const told = {
      format: 1,
      workspaceUuid,
      memberId: person.memberId,
      includesInternal,
      requestedAt: createdAt.toISOString(),
      contents,
      bytes: { files: fileCount, leftOut: leftOutCount, named: leftOut },
      notIncluded,
    };
    yield `${JSON.stringify(told, null, 2)}\n`;
  }
}
