import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { type Storage, StorageMissing, StorageUnusable } from '../../../providers/storage/storage.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { random, readAll, receive, store, text } from '../../support/storage/bytes.js';
import { newKey } from '../../support/storage/use-storage.js';

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

it('keeps an object as a file that has its key as path, for its own user only', async () => {
  const folder = temporaryFolder();
  const key = newKey();
  await store(new DiskStorage(folder), key, 'bytes');
  const path = join(folder, 'objects', key);
  expect(readFileSync(path, 'utf8')).toBe('bytes');
  for (const made of [path, join(path, '..'), join(folder, 'objects'), join(folder, 'spool')]) {
    expect(statSync(made).mode & 0o077).toBe(0);
  }
});

it('finds after a crash what was stored, and of what was received only spooled files', async () => {
  const folder = temporaryFolder();
  const before = new DiskStorage(folder);
  const [stored, received] = [newKey(), newKey()];
  await store(before, stored, 'stored');
  await receive(before, 'received');

  const after = new DiskStorage(folder);
  expect((await readAll(after.get(stored))).toString()).toBe('stored');
  expect(await after.head(received)).toBeUndefined();
  expect(await after.collectSpools(new Date(Date.now() + 1_000))).toBe(1);
  expect(readdirSync(join(folder, 'spool'))).toEqual([]);
});

it('two processes with one folder see the same objects', async () => {
  const folder = temporaryFolder();
  const [api, worker] = [new DiskStorage(folder), new DiskStorage(folder)];
  const key = newKey();
  await store(api, key, 'shared');
  expect(await worker.head(key)).toEqual({ bytes: 6 });
  await worker.delete(key);
  expect(await api.head(key)).toBeUndefined();
});

it('signs no addresses', async () => {
  const answer = {
    filename: 'a.txt',
    disposition: 'inline',
    mimeType: text,
    from: new Date(),
    seconds: 60,
  } as const;
  const storage: Storage = new DiskStorage(temporaryFolder());
  expect(storage.sign(newKey(), answer)).toBeUndefined();
});

it('calls no object missing while the folder of all objects is missing, as without its volume', async () => {
  const folder = temporaryFolder();
  const storage = new DiskStorage(folder);
  const key = newKey();
  await store(storage, key, 'still there');
  const spooled = await receive(storage, 'next');
  renameSync(join(folder, 'objects'), join(folder, 'unmounted'));

  for (const work of [
    () => storage.get(key),
    () => storage.head(key),
    () => storage.delete(key),
    () => storage.put(newKey(), spooled),
  ]) {
    const failure = await failureOf(work());
    expect(failure).toBeInstanceOf(StorageUnusable);
    expect(failure).not.toBeInstanceOf(StorageMissing);
    expect(failure).toMatchObject({ code: 'folder_missing' });
  }
  renameSync(join(folder, 'unmounted'), join(folder, 'objects'));
  expect((await readAll(storage.get(key))).toString()).toBe('still there');
  await storage.put(newKey(), spooled);
});

it('starts without its folder, says that it cannot be used, and works once it can', async () => {
  const root = temporaryFolder();
  const folder = join(root, 'volume');
  execFileSync('touch', [folder]);
  const storage = new DiskStorage(folder);
  expect(await failureOf(storage.check())).toMatchObject({ code: 'folder_missing' });
  expect(await failureOf(receive(storage, 'x'))).toMatchObject({ code: 'folder_missing' });
  rmSync(folder);
  await storage.check();
  const key = newKey();
  await store(storage, key, 'x');
  expect(await storage.head(key)).toEqual({ bytes: 1 });
});

it('does not take a folder without its volume for a new one', async () => {
  const folder = temporaryFolder();
  const isNew = async () => false;
  const storage = new DiskStorage(folder, { isNew });
  const spooled = await receive(storage, 'next');
  for (const work of [
    () => storage.check(),
    () => storage.get(newKey()),
    () => storage.head(newKey()),
    () => storage.delete(newKey()),
    () => storage.put(newKey(), spooled),
  ]) {
    expect(await failureOf(work())).toMatchObject({ code: 'folder_missing' });
  }
  expect(readdirSync(folder)).toEqual(['spool']);

  const mounted = newKey();
  await store(new DiskStorage(folder), mounted, 'there again');
  expect((await readAll(storage.get(mounted))).toString()).toBe('there again');
  await storage.put(newKey(), spooled);
});

it('creates the folder of a new installation, once, whoever is the first', async () => {
  const folder = temporaryFolder();
  const keys = Array.from({ length: 8 }, newKey);
  const storages = keys.map(() => new DiskStorage(folder, { isNew: async () => true }));
  await Promise.all(storages.map((storage, at) => store(storage, keys[at] ?? '', 'bytes')));
  for (const key of keys) expect(await storages[0]?.head(key)).toEqual({ bytes: 5 });
});

it('loses nothing when there is no room: what is there can be read, and no part of a file is left', async () => {
  const folder = temporaryFolder();
  const { fill, code } = smallDisk(folder);
  const storage = new DiskStorage(folder);
  const key = newKey();
  await store(storage, key, 'before');
  fill();

  const failure = await failureOf(receive(storage, random(4_000_000)));
  expect(failure).toBeInstanceOf(StorageUnusable);
  expect(failure).toMatchObject({ code });
  expect((failure as Error).message).not.toContain(folder);
  expect(readdirSync(storage.spoolFolder)).toEqual([]);
  expect((await readAll(storage.get(key))).toString()).toBe('before');
});

/** A file system of 1 MB where this user may mount one, else a folder that takes no more files. */
function smallDisk(folder: string): { fill: () => void; code: string } {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    const spool = join(folder, 'spool');
    onTestFinished(() => chmodSync(spool, 0o700));
    return { fill: () => chmodSync(spool, 0o500), code: 'folder_not_accessible' };
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return { fill: () => undefined, code: 'disk_full' };
}
