import { findIndexedVersion, type IndexedVersion } from '../../../db/files/file-indexing.js';
import { startIndexingRun } from '../../../domain/kernel/runs.js';
import type { Storage } from '../../../providers/storage/storage.js';
import type { TestWorkspace } from '../workspace/factories.js';
import { insertIndexedFile } from './indexed-file.js';

/** Stores a text file whose version waits to be indexed, and starts its run. */
export async function addPendingFile(
  { database, workspaceId, workspaceUuid }: Pick<TestWorkspace, 'database' | 'workspaceId' | 'workspaceUuid'>,
  storage: Storage,
  text: string,
): Promise<IndexedVersion> {
  const { versionId } = await insertIndexedFile({ database, workspaceId }, { pages: [], state: 'pending' });
  const version = await database.readInWorkspace(workspaceId, (tx) => findIndexedVersion(tx, versionId));
  if (version === undefined) throw new Error('the version was not inserted');
  const bytes = Buffer.from(text);
  const spooled = await storage.receive(piecesOf(bytes), { maxBytes: bytes.byteLength });
  await storage.put(`${workspaceUuid}/${version.objectUuid}`, spooled, { mimeType: 'text/plain' });
  await database.inWorkspace(workspaceId, (tx) => startIndexingRun(tx, version));
  return version;
}

async function* piecesOf(bytes: Uint8Array) {
  yield bytes;
}
