import type { Readable } from 'node:stream';
import { type Entry, open, type ZipFile } from 'yauzl';
import { Refused } from '../refused.js';

const mostEntries = 2_000;
const mostBytes = 50 * 1024 * 1024;
/** Text that people write is compressed to a tenth or so. */
const highestRatio = 100;
/** Below this size, the ratio says nothing. */
const smallBytes = 1024 * 1024;

/**
 * Refuses an archive that unpacks to more than a document does. Every entry is unpacked and counted, because the sizes
 * in its directory can lie.
 */
export async function checkArchive(path: string): Promise<void> {
  const archive = await opened(path);
  if (archive.entryCount > mostEntries) throw new Refused('too_large_inside');
  let total = 0;
  await eachEntry(archive, async (entry) => {
    const bytes = await unpackedBytes(archive, entry);
    total += bytes;
    const ratio = bytes / Math.max(1, entry.compressedSize);
    if (total > mostBytes || (bytes > smallBytes && ratio > highestRatio))
      throw new Refused('too_large_inside');
  });
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, validateEntrySizes: true }, (error, archive) =>
      error ? reject(new Refused('damaged')) : resolve(archive),
    );
  });
}

function eachEntry(archive: ZipFile, work: (entry: Entry) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.on('error', () => reject(new Refused('damaged')));
    archive.on('end', resolve);
    archive.on('entry', (entry: Entry) => {
      work(entry).then(() => archive.readEntry(), reject);
    });
    archive.readEntry();
  });
}

async function unpackedBytes(archive: ZipFile, entry: Entry): Promise<number> {
  if (entry.uncompressedSize > mostBytes) throw new Refused('too_large_inside');
  try {
    const stream = await new Promise<Readable>((resolve, reject) => {
      archive.openReadStream(entry, (error, read) => (error ? reject(error) : resolve(read)));
    });
    let bytes = 0;
    for await (const piece of stream) bytes += (piece as Buffer).byteLength;
    return bytes;
  } catch {
    throw new Refused('damaged');
  }
}
