import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf, diskFailure, onDisk } from './disk-failures.js';
import { receiveFile } from './receive-file.js';
import { type Spooled, StorageRefused } from './storage.js';

/** The folder in which bytes wait until they are an object. */
export class Spool {
  readonly folder: string;
  readonly #lasts: boolean;

  /** @param lasts whether its files become the objects themselves, and not copies of them elsewhere */
  constructor(folder: string, { lasts = false }: { lasts?: boolean } = {}) {
    this.folder = resolve(folder);
    this.#lasts = lasts;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    } catch {
      // `prepare` and every call fail then: processes start without their storage.
    }
  }

  /** Fails if the folder cannot be written to. */
  async prepare(): Promise<void> {
    await onDisk(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const probe = join(this.folder, randomUUID());
      await (await open(probe, 'wx', 0o600)).close();
      await rm(probe);
    });
  }

  async receive(source: AsyncIterable<Uint8Array>, { maxBytes }: { maxBytes: number }): Promise<Spooled> {
    const path = join(this.folder, randomUUID());
    try {
      return await receiveFile(path, source, { maxBytes, lasts: this.#lasts });
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw diskFailure(error);
    }
  }

  /**
   * Whether the spooled file is still there: no, if an earlier attempt consumed it.
   * @throws TypeError for a file elsewhere, StorageRefused for one that is not as long as it was received
   */
  async has({ path, bytes }: Spooled): Promise<boolean> {
    if (dirname(resolve(path)) !== this.folder) throw new TypeError('The file is not in the spool folder.');
    const found = await onDisk(() =>
      stat(path).catch((error) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      }),
    );
    if (found === undefined) return false;
    if (found.size !== bytes) throw new StorageRefused('spool_changed');
    return true;
  }

  async remove({ path }: Spooled): Promise<void> {
    await onDisk(() => rm(path, { force: true }));
  }

  async collect(before: Date): Promise<number> {
    let removed = 0;
    await onDisk(async () => {
      for await (const entry of await opendir(this.folder)) {
        const path = join(this.folder, entry.name);
        const found = await stat(path).catch(() => undefined);
        if (found === undefined || !found.isFile() || found.mtime >= before) continue;
        await rm(path, { force: true });
        removed += 1;
      }
    });
    return removed;
  }
}
