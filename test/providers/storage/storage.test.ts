import { existsSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  StorageMissing,
  StorageRangeUnsatisfiable,
  StorageRefused,
  StorageTooLarge,
} from '../../../providers/storage/storage.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { chunksOf, random, readAll, receive, sha256Of, store, text } from '../../support/storage/bytes.js';
import { newKey, storageKinds, useStorage } from '../../support/storage/use-storage.js';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Files and connections that this process has open. */
const descriptors = (): number => readdirSync('/proc/self/fd').length;

describe.each(storageKinds)('a storage (%s)', (kind) => {
  const held = useStorage(kind);
  const spools = () => readdirSync(held.current.spoolFolder);

  it('keeps bytes of unknown length with their SHA-256', async () => {
    const key = newKey();
    const bytes = random(3_000_000);
    const spooled = await receive(held.current, bytes);
    expect(spooled).toMatchObject({ bytes: 3_000_000, sha256: sha256Of(bytes) });
    expect(await held.current.head(key)).toBeUndefined();

    await held.current.put(key, spooled, { mimeType: text });
    expect(await held.current.head(key)).toEqual({ bytes: 3_000_000 });
    expect(sha256Of(await readAll(held.current.get(key)))).toBe(sha256Of(bytes));
    expect(spools()).toEqual([]);
    expect(held.current.kind).toBe(kind);
  });

  it('keeps an object without bytes', async () => {
    const key = newKey();
    await store(held.current, key, '');
    expect(await held.current.head(key)).toEqual({ bytes: 0 });
    expect(await readAll(held.current.get(key))).toHaveLength(0);
  });

  it('serves a part of an object, up to its end', async () => {
    const key = newKey();
    await store(held.current, key, '0123456789');
    const part = async (start: number, end: number) =>
      (await readAll(held.current.get(key, { start, end }))).toString();
    expect(await part(0, 0)).toBe('0');
    expect(await part(3, 6)).toBe('3456');
    expect(await part(9, 9)).toBe('9');
    expect(await part(7, 5_000)).toBe('789');
  });

  it('refuses a range that begins beyond the end', async () => {
    const key = newKey();
    await store(held.current, key, '0123456789');
    const failure = await failureOf(held.current.get(key, { start: 10, end: 12 }));
    expect(failure).toBeInstanceOf(StorageRangeUnsatisfiable);
  });

  it('says that an object is missing', async () => {
    await store(held.current, newKey(), 'another');
    expect(await failureOf(held.current.get(newKey()))).toBeInstanceOf(StorageMissing);
    expect(await held.current.head(newKey())).toBeUndefined();
  });

  it('deletes an object once and again', async () => {
    const key = newKey();
    await store(held.current, key, 'bytes');
    await held.current.delete(key);
    await held.current.delete(key);
    expect(await held.current.head(key)).toBeUndefined();
    expect(await failureOf(held.current.get(key))).toBeInstanceOf(StorageMissing);
  });

  it('takes a repeated put for done, although its spooled file is gone', async () => {
    const key = newKey();
    const spooled = await receive(held.current, 'once');
    await held.current.put(key, spooled, { mimeType: text });
    await held.current.put(key, spooled, { mimeType: text });
    expect((await readAll(held.current.get(key))).toString()).toBe('once');
    const elsewhere = await failureOf(held.current.put(newKey(), spooled, { mimeType: text }));
    expect(elsewhere).toMatchObject({ code: 'spool_missing' });
  });

  it('refuses a spooled file that is shorter than it was received', async () => {
    const spooled = await receive(held.current, 'the whole');
    truncateSync(spooled.path, 3);
    const key = newKey();
    const failure = await failureOf(held.current.put(key, spooled, { mimeType: text }));
    expect(failure).toBeInstanceOf(StorageRefused);
    expect(await held.current.head(key)).toBeUndefined();
  });

  it('stores one of two objects that are put under one key at once', async () => {
    const key = newKey();
    const versions = [random(700_000), random(700_000)];
    const spooled = await Promise.all(versions.map((bytes) => receive(held.current, bytes)));
    await Promise.all(spooled.map((one) => held.current.put(key, one, { mimeType: text })));
    const digest = sha256Of(await readAll(held.current.get(key)));
    expect(versions.map(sha256Of)).toContain(digest);
    expect(spools()).toEqual([]);
  });

  it.each([
    '../../etc/passwd',
    `${newKey()}/../x`,
    `/${newKey()}`,
    newKey().toUpperCase(),
    `${newKey()}.segments/1`,
    newKey().replace('/', '\\'),
    `${newKey()}\n`,
    '',
  ])('refuses the key %j', async (key) => {
    const spooled = await receive(held.current, 'bytes');
    const signed = {
      filename: 'a',
      disposition: 'inline',
      mimeType: text,
      from: new Date(),
      seconds: 1,
    } as const;
    const works = [
      () => held.current.put(key, spooled, { mimeType: text }),
      () => held.current.get(key),
      () => held.current.head(key),
      () => held.current.delete(key),
      () => held.current.putSegment(key, 1, spooled),
      () => held.current.joinSegments(key, 1, { mimeType: text }),
      () => held.current.sign(key, signed),
    ];
    for (const work of works) {
      expect(await failureOf((async () => work())())).toBeInstanceOf(TypeError);
    }
    expect(existsSync(spooled.path)).toBe(true);
  });

  it('takes no file from outside of the spool folder', async () => {
    const path = join(held.current.spoolFolder, '../outside');
    writeFileSync(path, 'mine');
    const spooled = { path, bytes: 4, sha256: sha256Of(Buffer.from('mine')) };
    expect(await failureOf(held.current.put(newKey(), spooled, { mimeType: text }))).toBeInstanceOf(
      TypeError,
    );
    expect(existsSync(path)).toBe(true);
    await rm(path);
  });

  it('leaves no file behind when more bytes come than allowed', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken += 1_000;
        yield Buffer.alloc(1_000);
      }
    }
    const failure = await failureOf(held.current.receive(endless(), { maxBytes: 100_000 }));
    expect(failure).toBeInstanceOf(StorageTooLarge);
    expect(taken).toBeLessThan(1_000_000);
    expect(spools()).toEqual([]);
    const exact = await held.current.receive(chunksOf(Buffer.alloc(5)), { maxBytes: 5 });
    expect(exact.bytes).toBe(5);
  });

  it('leaves no file behind when the source breaks off', async () => {
    async function* broken() {
      yield Buffer.from('half of ');
      throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    }
    expect(await failureOf(held.current.receive(broken(), { maxBytes: 100 }))).toMatchObject({
      message: 'cut',
    });
    expect(spools()).toEqual([]);
  });

  it('collects only spooled files that are older than the given time', async () => {
    const [old, young] = [await receive(held.current, 'old'), await receive(held.current, 'young')];
    const now = Date.now();
    utimesSync(old.path, new Date(now - 90_000_000), new Date(now - 90_000_000));
    expect(await held.current.collectSpools(new Date(now - 86_400_000))).toBe(1);
    expect(existsSync(old.path)).toBe(false);
    expect(existsSync(young.path)).toBe(true);
  });

  it('keeps no descriptor of readers that hang up in the middle', async () => {
    const key = newKey();
    await store(held.current, key, random(4_000_000));
    await readAll(held.current.get(key));
    const before = descriptors();
    for (let reader = 0; reader < 20; reader += 1) {
      const source = await held.current.get(key);
      for await (const chunk of source) if (chunk.length > 0) break;
      expect(source.destroyed).toBe(true);
    }
    for (let reader = 0; reader < 20; reader += 1) (await held.current.get(key)).destroy();
    await waitFor('no descriptor is left', () => descriptors() <= before);
    expect((await readAll(held.current.get(key))).length).toBe(4_000_000);
  });

  it('gives the same bytes to a reader that takes them one piece after the other', async () => {
    const key = newKey();
    const bytes = random(1_000_003);
    await store(held.current, key, bytes);
    const taken = async (range?: { start: number; end: number }) => {
      const pieces: Buffer[] = [];
      // A piece is valid until the next is asked for.
      for await (const piece of await held.current.read(key, range)) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces);
    };
    expect((await taken()).equals(bytes)).toBe(true);
    for (const [start, end] of [
      [0, 0],
      [131_071, 131_072],
      [5, 700_000],
      [1_000_000, 5_000_000],
    ] as const)
      expect((await taken({ start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
    const beyond = held.current.read(key, { start: 1_000_003, end: 1_000_009 });
    expect(await failureOf(beyond)).toBeInstanceOf(StorageRangeUnsatisfiable);
    expect(await failureOf(held.current.read(newKey()))).toBeInstanceOf(StorageMissing);
    const empty = newKey();
    await store(held.current, empty, '');
    for await (const piece of await held.current.read(empty)) expect(piece).toHaveLength(0);
  });

  it('leaves nothing open when such a reader stops, at any moment', async () => {
    const key = newKey();
    await store(held.current, key, random(1_000_000));
    await readAll(held.current.get(key));
    const before = descriptors();
    for (let reader = 0; reader < 10; reader += 1) {
      (await held.current.read(key)).destroy();
      const stopped = await held.current.read(key);
      for await (const piece of stopped) if (piece.length > 0) break;
      stopped.destroy();
      const abandoned = await held.current.read(key);
      await abandoned[Symbol.asyncIterator]().next();
      abandoned.destroy();
      const asked = await held.current.read(key);
      const pending = asked[Symbol.asyncIterator]().next();
      asked.destroy();
      await failureOf(pending);
    }
    await waitFor('no descriptor is left', () => descriptors() <= before);
  });

  it('joins segments in the order of their numbers, each of which may come twice', async () => {
    const key = newKey();
    const parts = Array.from({ length: 11 }, (_, at) => Buffer.from(`part ${at + 1}; `));
    const segment = async (number: number) =>
      held.current.putSegment(key, number, await receive(held.current, parts[number - 1] ?? ''));
    for (const number of [2, 1, 11, 3, 4, 5, 6, 7, 8, 9, 10, 2]) await segment(number);
    const whole = Buffer.concat(parts);
    const joined = { bytes: whole.length, sha256: sha256Of(whole) };

    expect(await held.current.head(key)).toBeUndefined();
    expect(await held.current.joinSegments(key, 11, { mimeType: text })).toEqual(joined);
    expect(await readAll(held.current.get(key))).toEqual(whole);
    expect(spools()).toEqual([]);
    // The segments are gone now; the answer to the first call may have been lost.
    expect(await held.current.joinSegments(key, 11, { mimeType: text })).toEqual(joined);
  });

  it('joins nothing while a segment is missing', async () => {
    const key = newKey();
    for (const number of [1, 3]) {
      await held.current.putSegment(key, number, await receive(held.current, `${number}`));
    }
    const failure = await failureOf(held.current.joinSegments(key, 3, { mimeType: text }));
    expect(failure).toBeInstanceOf(StorageMissing);
    expect(await held.current.head(key)).toBeUndefined();
    expect(spools()).toEqual([]);
    await held.current.putSegment(key, 2, await receive(held.current, '2'));
    expect((await held.current.joinSegments(key, 3, { mimeType: text })).bytes).toBe(3);
  });

  it('deletes segments that were never joined', async () => {
    const key = newKey();
    for (const number of [1, 4]) await held.current.putSegment(key, number, await receive(held.current, 'x'));
    const neighbour = newKey();
    await held.current.putSegment(neighbour, 1, await receive(held.current, 'y'));
    await held.current.delete(key);
    expect(await failureOf(held.current.joinSegments(key, 1, { mimeType: text }))).toBeInstanceOf(
      StorageMissing,
    );
    expect((await held.current.joinSegments(neighbour, 1, { mimeType: text })).bytes).toBe(1);
  });

  it('numbers segments from 1', async () => {
    const spooled = await receive(held.current, 'x');
    for (const number of [0, -1, 1.5, Number.NaN]) {
      const work = (async () => held.current.putSegment(newKey(), number, spooled))();
      expect(await failureOf(work)).toBeInstanceOf(TypeError);
    }
  });

  it('lets nobody else of the machine read what it keeps', async () => {
    const spooled = await receive(held.current, 'private');
    expect(statSync(spooled.path).mode & 0o077).toBe(0);
  });
});
