import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { S3Storage, type S3StorageOptions } from '../../../providers/storage/s3-storage.js';
import type { Storage } from '../../../providers/storage/storage.js';
import { obtainVersitygw } from '../../../tools/dev/provision/obtain-versitygw.js';
import { consoleProgress } from '../../../tools/dev/provision/progress.js';
import { temporaryFolder } from '../lib/temporary-folder.js';
import { s3Backend } from '../run/backend-client.js';

export const storageKinds = ['disk', 's3'] as const;

/** Where the server has to be built first, that takes some minutes. */
const buildMs = 20 * 60_000;

/** A storage for each test: a folder, or a bucket on a real server. */
export function useStorage(kind: Storage['kind']): { readonly current: Storage } {
  const held: { current?: Storage } = {};
  beforeEach(async () => {
    held.current = kind === 'disk' ? new DiskStorage(temporaryFolder()) : new S3Storage(await newBucket());
    await held.current.check();
  }, buildMs);
  return held as { readonly current: Storage };
}

/** What a storage needs to use an empty bucket. @param spoolFolder outside of a test, where none is removed at its end */
export async function newBucket(
  spoolFolder = temporaryFolder(),
): Promise<S3StorageOptions & { folder: string }> {
  await obtainVersitygw(consoleProgress());
  const { buckets, endpoint, keyId, secret } = await s3Backend();
  const bucket = `wes-${randomUUID()}`;
  const folder = join(buckets, bucket);
  mkdirSync(folder);
  const settings = { endpoint, publicEndpoint: endpoint, region: 'us-east-1', bucket, keyId, secret };
  return { ...settings, spoolFolder, folder };
}

export const newKey = (): string => `${randomUUID()}/${randomUUID()}`;
