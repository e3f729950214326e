import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { segmentKey } from './keys.js';
import type { Spool } from './spool.js';
import { type Spooled, StorageMissing } from './storage.js';

/** What joining needs of a storage. */
export interface SegmentStore {
  spool: Spool;
  /** Takes keys of segments as well. */
  open(key: string): Promise<Readable>;
  put(key: string, spooled: Spooled, object: { mimeType: string }): Promise<void>;
  deleteSegments(key: string, count: number): Promise<void>;
}

/** Joins through the spool, as only a reader of all bytes knows their SHA-256. */
export async function joinSegments(
  store: SegmentStore,
  key: string,
  count: number,
  object: { mimeType: string },
): Promise<{ bytes: number; sha256: string }> {
  async function* segments() {
    for (let number = 1; number <= count; number += 1) yield* await store.open(segmentKey(key, number));
  }
  let digest: { bytes: number; sha256: string };
  try {
    const joined = await store.spool.receive(segments(), { maxBytes: Number.MAX_SAFE_INTEGER });
    try {
      await store.put(key, joined, object);
    } catch (error) {
      await store.spool.remove(joined);
      throw error;
    }
    digest = { bytes: joined.bytes, sha256: joined.sha256 };
  } catch (error) {
    if (!(error instanceof StorageMissing)) throw error;
    // A call that ended while it deleted the segments has left the object.
    digest = await digestOf(await store.open(key));
  }
  await store.deleteSegments(key, count);
  return digest;
}

async function digestOf(source: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}
