import { expect, it } from 'vitest';
import { objectStore } from '../../api/object-store.js';
import { PutUnknown } from '../../domain/files/object-store.js';
import { Unavailable } from '../../domain/lib/errors.js';
import { DiskStorage } from '../../providers/storage/disk-storage.js';
import {
  StorageBusy,
  StorageMissing,
  StorageOutcomeUnknown,
  StorageTooLarge,
  StorageUnusable,
} from '../../providers/storage/storage.js';
import { MovedClock, minutes } from '../support/lib/moved-clock.js';
import { temporaryFolder } from '../support/lib/temporary-folder.js';
import { chunksOf, readAll, sha256Of } from '../support/storage/bytes.js';
import { newKey } from '../support/storage/use-storage.js';

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/** A store whose storage fails with this. */
function failing(failure: Error, clock = new MovedClock()) {
  const storage = new DiskStorage(temporaryFolder());
  let calls = 0;
  const broken = Object.assign(storage, {
    get: async () => {
      calls += 1;
      throw failure;
    },
  });
  const conditions: string[] = [];
  const observe = (_: string, condition: string) => conditions.push(condition);
  return { store: objectStore(broken, { clock, observe }), conditions, calls: () => calls };
}

it('keeps and serves what it is given', async () => {
  const store = objectStore(new DiskStorage(temporaryFolder()), { clock: new MovedClock() });
  const key = newKey();
  const spooled = await store.receive(chunksOf(Buffer.from('bytes')), { maxBytes: 5 });
  expect(spooled).toMatchObject({ bytes: 5, sha256: sha256Of(Buffer.from('bytes')) });
  await store.put(key, spooled, { mimeType: 'text/plain' });
  expect(await store.head(key)).toEqual({ bytes: 5 });
  expect((await readAll(store.get(key))).toString()).toBe('bytes');
  await store.delete(key);
  expect(await store.head(key)).toBeUndefined();
  expect(store.kind).toBe('disk');
});

it.each([
  [new StorageBusy('SlowDown', 30_000), 30],
  [new StorageBusy('ECONNREFUSED'), 5],
  [new StorageOutcomeUnknown('TIMEOUT'), 5],
])('answers %s with 503 and the time to wait', async (failure, seconds) => {
  const told = await failureOf(failing(failure).store.get(newKey()));
  expect(told).toBeInstanceOf(Unavailable);
  expect(told).toMatchObject({ code: 'storage_unavailable', retryAfterSeconds: seconds });
});

it('tells what may be stored yet from what is not', async () => {
  const failureAfter = (failure: Error) => failureOf(failing(failure).store.get(newKey()));
  expect(await failureAfter(new StorageOutcomeUnknown('TIMEOUT'))).toBeInstanceOf(PutUnknown);
  for (const failure of [new StorageBusy('SlowDown'), new StorageUnusable('disk_full')])
    expect(await failureAfter(failure)).not.toBeInstanceOf(PutUnknown);
});

it.each([new StorageMissing(), new StorageTooLarge(), new TypeError('a fault')])(
  'passes %s on',
  async (failure) => {
    expect(await failureOf(failing(failure).store.get(newKey()))).toBe(failure);
  },
);

it('asks a storage with a wrong credential once a minute, and tells its condition', async () => {
  const clock = new MovedClock();
  const { store, conditions, calls } = failing(new StorageUnusable('SignatureDoesNotMatch'), clock);
  for (let time = 0; time < 5; time += 1) {
    expect(await failureOf(store.get(newKey()))).toMatchObject({ code: 'storage_unavailable' });
  }
  expect([calls(), conditions]).toEqual([1, ['unusable']]);
  clock.advance(minutes(2));
  await failureOf(store.get(newKey()));
  expect(calls()).toBe(2);
});

it('asks a full storage each time, as what is there can be read', async () => {
  const { store, calls } = failing(new StorageUnusable('disk_full', { wholeAccount: false }));
  for (let time = 0; time < 3; time += 1) await failureOf(store.get(newKey()));
  expect(calls()).toBe(3);
});
