import { open } from 'node:fs/promises';

/** The bytes of a file, read in pieces. */
export interface FileSource {
  bytes: number;
  /** Returns the bytes from `start`, fewer at the end of the file. */
  read(start: number, length: number): Promise<Uint8Array>;
}

/** A source over bytes in memory. */
export function sourceOfBytes(content: Uint8Array): FileSource {
  return {
    bytes: content.byteLength,
    read: async (start, length) => content.subarray(start, start + length),
  };
}

/** Calls `work` with a source over a file on disk, which is open meanwhile. */
export async function withSourceOfFile<T>(
  path: string,
  work: (source: FileSource) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await work({
      bytes: size,
      async read(start, length) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}
