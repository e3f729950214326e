import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytesLost, mediaAddresses, requireBytes } from '../../../activities/channels/message-media.js';
import { FileAddresses } from '../../../domain/files/file-addresses.js';
import {
  type Storage,
  StorageBusy,
  StorageRefused,
  StorageUnusable,
} from '../../../providers/storage/storage.js';

const workspaceUuid = randomUUID();
const one = {
  fileId: 7,
  versionNumber: 2,
  filename: 'map.png',
  mimeType: 'image/png',
  objectUuid: randomUUID(),
};
const claim = { workspaceUuid, media: [one, { ...one, objectUuid: randomUUID() }], validitySeconds: 14_400 };
type Head = Storage['head'];
const require = (head: Head, media = claim.media) =>
  requireBytes({ storage: { head } as unknown as Storage }, { ...claim, media });

describe('requireBytes', () => {
  it('asks the storage for each of the files', async () => {
    const asked: string[] = [];
    await require(async (key) => {
      asked.push(key);
      return { bytes: 1 };
    });
    expect(asked).toEqual(claim.media.map(({ objectUuid }) => `${workspaceUuid}/${objectUuid}`));
  });

  it('asks for nothing without files', async () => {
    await expect(require(() => Promise.reject(new StorageBusy('away')), [])).resolves.toBeUndefined();
  });

  it.each([
    ['bytes that are lost', async () => undefined, { name: 'ProviderRefused', code: bytesLost }],
    ['a busy storage', () => Promise.reject(new StorageBusy('http_503')), { name: 'StorageBusy' }],
    [
      'an unusable storage',
      () => Promise.reject(new StorageUnusable('http_403')),
      { name: 'StorageUnusable' },
    ],
    [
      'a refusal, which an operator may lift',
      () => Promise.reject(new StorageRefused('http_400')),
      { name: 'ProviderBusy', code: 'http_400', provider: 'storage' },
    ],
    [
      'a fault of the file system',
      () => Promise.reject(Object.assign(new Error('stale file handle'), { code: 'ESTALE' })),
      { name: 'ProviderBusy', code: 'unknown', provider: 'storage' },
    ],
  ])('tells of %s', async (_, head: Head, error) => {
    await expect(require(head)).rejects.toMatchObject(error);
  });

  describe('with a storage that does not answer', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('gives up in time to release the claim', async () => {
      const checked = expect(require(() => new Promise(() => undefined))).rejects.toMatchObject({
        name: 'ProviderBusy',
        code: 'timeout',
      });
      await vi.advanceTimersByTimeAsync(5_000);
      await checked;
    });
  });
});

describe('mediaAddresses', () => {
  it('are valid for as long as the carrier may keep the message, and then some', () => {
    const addresses = new FileAddresses(
      ['a secret of tests, of more than 32 characters'],
      'https://wes.example',
    );
    const now = new Date('2026-11-26T12:00:00Z');
    const [url = ''] = mediaAddresses({ fileAddresses: addresses, clock: { now: () => now } }, claim);
    expect(url).toContain(`https://wes.example/w/${workspaceUuid}/files/7/contents/map.png?version=2&`);
    const expires = Number(new URL(url).searchParams.get('expires'));
    expect(expires - now.getTime() / 1_000).toBe(14_400 + 900 + 300);
  });
});
