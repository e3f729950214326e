import { existsSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { StorageUnusable } from '../../../providers/storage/storage.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { random, readAll, receive, sha256Of } from '../../support/storage/bytes.js';
import { newKey } from '../../support/storage/use-storage.js';

const megabyte = 1_048_576;

/** Pieces as they come from a connection: many small ones, and large ones. */
async function* piecesOf(bytes: Buffer) {
  for (let at = 0, number = 0; at < bytes.length; number += 1) {
    const length = [1, 100, 65_536, 70_001, 900_000][number % 5] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

/** Watches how files are synced while they are received. */
async function watchSyncs() {
  const handle = await open(join(temporaryFolder(), 'any'), 'w');
  const watched = vi.spyOn(Object.getPrototypeOf(handle), 'datasync');
  await handle.close();
  onTestFinished(() => watched.mockRestore());
  return watched;
}

describe('bytes that are received', () => {
  it('are the same in pieces of any size, and while the disk takes the first of them', async () => {
    const syncs = await watchSyncs();
    const storage = new DiskStorage(temporaryFolder());
    const bytes = random(20 * megabyte + 7);
    const spooled = await storage.receive(piecesOf(bytes), { maxBytes: bytes.length });
    expect(spooled).toMatchObject({ bytes: bytes.length, sha256: sha256Of(bytes) });
    expect(syncs.mock.calls.length).toBeGreaterThan(0);
    const key = newKey();
    await storage.put(key, spooled);
    expect(sha256Of(await readAll(storage.get(key)))).toBe(sha256Of(bytes));
  });

  it('are not taken for received when the disk could not keep the first of them', async () => {
    const syncs = await watchSyncs();
    syncs.mockRejectedValue(Object.assign(new Error('i/o'), { code: 'EIO' }));
    const storage = new DiskStorage(temporaryFolder());
    const failure = await receive(storage, random(20 * megabyte)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageUnusable);
    expect(failure).toMatchObject({ code: 'disk_broken' });
    expect(readdirSync(storage.spoolFolder)).toEqual([]);
  });

  it('are written while more come, and are for their own user only', async () => {
    const folder = temporaryFolder();
    const storage = new DiskStorage(folder);
    const path = () => join(storage.spoolFolder, readdirSync(storage.spoolFolder)[0] ?? '');
    async function* slow() {
      yield random(4 * megabyte);
      await waitFor('it is written', () => statSync(path()).size === 4 * megabyte);
      expect(statSync(path()).mode & 0o077).toBe(0);
      yield random(1);
    }
    const spooled = await storage.receive(slow(), { maxBytes: 5 * megabyte });
    expect(spooled.bytes).toBe(4 * megabyte + 1);
    expect(existsSync(spooled.path)).toBe(true);
  });
});
