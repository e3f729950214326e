import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The contents of a ZIP archive, by path, in its order. */
export async function readArchive(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true, validateEntrySizes: true });
  const found = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (found.has(entry.fileName)) throw new Error(`${entry.fileName} is twice in the archive`);
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return found;
}

/** The rows of a file of JSON Lines. */
export function rowsIn(file: Buffer | undefined): Record<string, unknown>[] {
  return (file?.toString('utf8') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
