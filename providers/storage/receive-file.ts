import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Spooled, StorageTooLarge } from './storage.js';

/** Written at once, while the next bytes come. */
const pieceBytes = 512 * 1024;
/** After so many bytes the disk begins to take them. */
const syncedAtOnce = 8 * 1024 * 1024;

export interface FileReceiving {
  maxBytes: number;
  /** The file is to survive a crash: its last sync, which is the caller's, then has little left to do. */
  lasts: boolean;
}

/**
 * Writes bytes of unknown length into a new file, and computes their SHA-256 on the way. Receiving, writing and the disk
 * do not wait for each other. Nothing that the source gives is kept when the next is asked for.
 * @throws StorageTooLarge, and errors of the source and of the file system, with a part of the file left
 */
export async function receiveFile(
  path: string,
  source: AsyncIterable<Uint8Array>,
  { maxBytes, lasts }: FileReceiving,
): Promise<Spooled> {
  const file = await open(path, 'wx', 0o600);
  const writer = new FileWriter(file, lasts);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new StorageTooLarge();
      hash.update(chunk);
      await writer.write(chunk);
    }
    await writer.end();
  } finally {
    await writer.settled();
    await file.close();
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

/** Collects bytes in one buffer while the other is written, and has the disk take what is written. */
class FileWriter {
  readonly #file: FileHandle;
  readonly #lasts: boolean;
  #filling = Buffer.allocUnsafeSlow(pieceBytes);
  /** Absent until the first piece is full: most files have no second one. */
  #other: Buffer<ArrayBuffer> | undefined;
  #filled = 0;
  #written = 0;
  #syncedAt = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> | undefined;
  /**
   * Of a write or an early sync. A disk reports what it could not keep once: the sync that makes the file an object
   * would not fail.
   */
  #failure: { error: unknown } | undefined;

  constructor(file: FileHandle, lasts: boolean) {
    this.#file = file;
    this.#lasts = lasts;
  }

  /** Copies the bytes; waits while both buffers are full. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = chunk.subarray(at, at + pieceBytes - this.#filled);
      this.#filling.set(taken, this.#filled);
      this.#filled += taken.byteLength;
      at += taken.byteLength;
      if (this.#filled === pieceBytes) await this.#turn();
    }
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.settled();
    this.#throwFailure();
  }

  /** Resolves when nothing is being done with the file. */
  async settled(): Promise<void> {
    await this.#writing;
    await this.#syncing;
  }

  async #turn(): Promise<void> {
    await this.#flush();
    [this.#filling, this.#other] = [this.#other ?? Buffer.allocUnsafeSlow(pieceBytes), this.#filling];
    this.#filled = 0;
  }

  /** Begins to write what was collected, once the piece before it is written. */
  async #flush(): Promise<void> {
    await this.#writing;
    this.#throwFailure();
    const piece = this.#filling.subarray(0, this.#filled);
    this.#writing = this.#noting(() => this.#store(piece));
  }

  async #store(piece: Uint8Array): Promise<void> {
    // A write may take a part only, as when the disk is nearly full.
    for (let at = 0; at < piece.byteLength; ) {
      const { bytesWritten } = await this.#file.write(piece, at, piece.byteLength - at, this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
    if (!this.#lasts || this.#syncing !== undefined || this.#written - this.#syncedAt < syncedAtOnce) return;
    this.#syncedAt = this.#written;
    this.#syncing = this.#noting(() => this.#file.datasync()).then(() => {
      this.#syncing = undefined;
    });
  }

  async #noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
