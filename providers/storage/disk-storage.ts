import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf, diskFailure, onDisk } from './disk-failures.js';
import { FileBytes } from './file-bytes.js';
import { joinSegments } from './join-segments.js';
import { checkedKey, segmentKey, segmentsPrefix } from './keys.js';
import { Spool } from './spool.js';
import {
  type ByteRange,
  type Spooled,
  type Storage,
  StorageMissing,
  StorageRangeUnsatisfiable,
  StorageRefused,
} from './storage.js';

/** Larger pieces are freed later: with 256 KB, a download of 50 MB costs 10 MB more. */
const readAtOnce = 64 * 1024;

export interface DiskStorageOptions {
  /**
   * Whether the folder of all objects may be created where it is missing, because there are no objects yet. Otherwise its
   * volume is: an empty folder in its place would say of each object that it does not exist. Absent: it may.
   */
  isNew?: () => Promise<boolean>;
}

/**
 * Objects as files, `<folder>/objects/<key>`, beside the spool folder: to store is to rename, which a crash leaves done
 * or not done. All processes need the same folder.
 */
export class DiskStorage implements Storage {
  readonly kind = 'disk';
  readonly spoolFolder: string;
  readonly #objects: string;
  readonly #spool: Spool;
  readonly #isNew: () => Promise<boolean>;
  #wasThere = false;

  constructor(folder: string, { isNew = async () => true }: DiskStorageOptions = {}) {
    this.#objects = join(resolve(folder), 'objects');
    this.#isNew = isNew;
    this.#spool = new Spool(join(folder, 'spool'), { lasts: true });
    this.spoolFolder = this.#spool.folder;
  }

  receive(source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<Spooled> {
    return this.#spool.receive(source, limit);
  }

  put(key: string, spooled: Spooled): Promise<void> {
    return this.#store(checkedKey(key), spooled);
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return this.#open(checkedKey(key), range);
  }

  async read(key: string, range?: ByteRange): Promise<FileBytes> {
    const { file, bytes } = await this.#openPart(checkedKey(key), range);
    const start = range?.start ?? 0;
    return new FileBytes(file, { start, end: Math.min(bytes, (range?.end ?? bytes) + 1) });
  }

  async head(key: string): Promise<{ bytes: number } | undefined> {
    const found = await this.#found(checkedKey(key));
    return found && { bytes: found.size };
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(checkedKey(key));
    await onDisk(async () => {
      await this.#requireFolder();
      await rm(path, { force: true });
      await rm(this.#pathOf(segmentsPrefix(key)), { recursive: true, force: true });
      // What is deleted stays deleted after a crash.
      await syncFolder(dirname(path));
    });
  }

  sign(key: string): undefined {
    checkedKey(key);
  }

  putSegment(key: string, number: number, spooled: Spooled): Promise<void> {
    return this.#store(segmentKey(key, number), spooled);
  }

  joinSegments(key: string, count: number, object: { mimeType: string }) {
    const store = {
      spool: this.#spool,
      open: (of: string) => this.#open(of),
      put: (of: string, joined: Spooled) => this.#store(of, joined),
      deleteSegments: (of: string) =>
        onDisk(() => rm(this.#pathOf(segmentsPrefix(of)), { recursive: true, force: true })),
    };
    return joinSegments(store, key, count, object);
  }

  collectSpools(before: Date): Promise<number> {
    return this.#spool.collect(before);
  }

  async check(): Promise<void> {
    await this.#spool.prepare();
    await onDisk(async () => {
      await this.#requireFolder();
      await access(this.#objects, constants.R_OK | constants.W_OK | constants.X_OK);
      await syncFolder(dirname(this.#objects));
    });
  }

  async #store(key: string, spooled: Spooled): Promise<void> {
    const path = this.#pathOf(key);
    if (!(await this.#spool.has(spooled))) {
      // An earlier attempt has renamed it, and did not learn that this survives a crash.
      const stored = await this.#found(key);
      if (stored?.size !== spooled.bytes) throw new StorageRefused('spool_missing');
      await onDisk(() => syncFolder(dirname(path)));
      return;
    }
    await onDisk(async () => {
      const file = await open(spooled.path, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#requireFolder();
      await makeFolder(this.#objects, dirname(path));
      await rename(spooled.path, path);
      await syncFolder(dirname(path));
    });
  }

  async #open(key: string, range?: ByteRange): Promise<Readable> {
    const { file } = await this.#openPart(key, range);
    return file.createReadStream({ highWaterMark: readAtOnce, ...range });
  }

  async #openPart(key: string, range?: ByteRange): Promise<{ file: FileHandle; bytes: number }> {
    const file = await this.#openFile(key);
    try {
      const { size } = await file.stat();
      if (range !== undefined && range.start >= size) throw new StorageRangeUnsatisfiable();
      return { file, bytes: size };
    } catch (error) {
      await file.close();
      throw diskFailure(error);
    }
  }

  async #openFile(key: string): Promise<FileHandle> {
    try {
      return await open(this.#pathOf(key), 'r');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw diskFailure(error);
      await onDisk(() => this.#requireFolder());
      throw new StorageMissing();
    }
  }

  #found(key: string) {
    return onDisk(async () => {
      try {
        return await stat(this.#pathOf(key));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        await this.#requireFolder();
      }
    });
  }

  /** Without the folder of all objects, as when its volume is not mounted, nothing can be said about one of them. */
  async #requireFolder(): Promise<void> {
    try {
      await access(this.#objects);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || this.#wasThere || !(await this.#isNew())) throw error;
      await mkdir(this.#objects, { recursive: true, mode: 0o700 });
      await syncFolder(dirname(this.#objects));
    }
    this.#wasThere = true;
  }

  #pathOf(key: string): string {
    return join(this.#objects, key);
  }
}

/** Creates a folder below that of all objects, which has to be there, so that it survives a crash. */
async function makeFolder(objects: string, folder: string): Promise<void> {
  if (folder === objects) return;
  const parent = dirname(folder);
  await makeFolder(objects, parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return;
  }
  await syncFolder(parent);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
