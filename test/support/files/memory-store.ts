import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectStore, SpooledBytes } from '../../../domain/files/object-store.js';

/** A storage in memory. `failNext` makes a call fail, before or after it has done its work. */
export interface MemoryStore extends ObjectStore {
  readonly objects: ReadonlyMap<string, Buffer>;
  failNext(call: 'put' | 'get' | 'delete', moment: 'before' | 'after', error?: Error): void;
  /** Spools bytes as an upload does. */
  spool(content: string | Uint8Array): Promise<SpooledBytes>;
  close(): Promise<void>;
}

export function createMemoryStore(): MemoryStore {
  const spoolFolder = mkdtempSync(join(tmpdir(), 'wes-memory-store-'));
  const objects = new Map<string, Buffer>();
  let failure: { at: string; error: Error | undefined } | undefined;

  const failing = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    const fails = (moment: string) => {
      if (failure?.at !== `${call} ${moment}`) return;
      const { error } = failure;
      failure = undefined;
      throw error ?? new Error(`the storage failed ${moment} ${call}`);
    };
    fails('before');
    const result = await work();
    fails('after');
    return result;
  };
  const found = (key: string): Buffer => {
    const bytes = objects.get(key);
    if (bytes === undefined) throw new Error('there is no such object');
    return bytes;
  };
  const get: ObjectStore['get'] = (key, range) =>
    failing('get', async () => {
      const bytes = found(key);
      return Readable.from([bytes.subarray(range?.start ?? 0, (range?.end ?? bytes.length - 1) + 1)]);
    });
  const spool = async (content: string | Uint8Array): Promise<SpooledBytes> => {
    const bytes = Buffer.from(content);
    const path = join(spoolFolder, randomUUID());
    await writeFile(path, bytes);
    return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };

  return {
    kind: 'disk',
    objects,
    spool,
    failNext: (call, moment, error) => {
      failure = { at: `${call} ${moment}`, error };
    },
    receive: async (source) => {
      const pieces: Buffer[] = [];
      for await (const piece of source) pieces.push(Buffer.from(piece));
      return spool(Buffer.concat(pieces));
    },
    put: (key, spooled) =>
      failing('put', async () => {
        objects.set(key, await readFile(spooled.path));
        await rm(spooled.path);
      }),
    get,
    read: get,
    head: async (key) => (objects.has(key) ? { bytes: found(key).length } : undefined),
    delete: (key) =>
      failing('delete', async () => {
        objects.delete(key);
      }),
    sign: () => undefined,
    close: () => rm(spoolFolder, { recursive: true, force: true }),
  };
}
