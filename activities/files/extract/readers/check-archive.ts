import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { Refused } from '../refused.js';

const maxEntries = 2_000;
const maxBytes = 50 * 1024 * 1024;
/** Text that people write is compressed to a tenth or so. */
const highestRatio = 100;
/** Below this size, the ratio says nothing. */
const smallBytes = 1024 * 1024;

/**
 * Refuses an archive that unpacks to more than a document does. Every entry is unpacked and counted, because the sizes
 * in its directory can lie.
 */
export async function checkArchive(path: string): Promise<void> {
  try {
    const archive = await openPromise(path, { lazyEntries: true, validateEntrySizes: true });
    if (archive.entryCount > maxEntries) throw new Refused('too_large_inside');
    await checkEntries(archive);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('damaged');
  }
}

async function checkEntries(archive: ZipFile): Promise<void> {
  let total = 0;
  for await (const entry of archive.eachEntry()) {
    const bytes = await unpackedBytes(archive, entry);
    total += bytes;
    const ratio = bytes / Math.max(1, entry.compressedSize);
    if (total > maxBytes || (bytes > smallBytes && ratio > highestRatio))
      throw new Refused('too_large_inside');
  }
}

async function unpackedBytes(archive: ZipFile, entry: Entry): Promise<number> {
  if (entry.uncompressedSize > maxBytes) throw new Refused('too_large_inside');
  let bytes = 0;
  for await (const piece of await archive.openReadStreamPromise(entry)) bytes += (piece as Buffer).byteLength;
  return bytes;
}
