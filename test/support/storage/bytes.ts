import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Spooled, Storage } from '../../../providers/storage/storage.js';

export const text = 'text/plain';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** In chunks, as they come from a connection. */
export async function* chunksOf(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const receive = (storage: Storage, content: Uint8Array | string): Promise<Spooled> =>
  storage.receive(chunksOf(Buffer.from(content)), { maxBytes: Number.MAX_SAFE_INTEGER });

export async function store(storage: Storage, key: string, content: Uint8Array | string): Promise<void> {
  await storage.put(key, await receive(storage, content), { mimeType: text });
}

export async function readAll(source: Readable | Promise<Readable>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const random = (bytes: number): Buffer => randomBytes(bytes);
