import type { Readable } from 'node:stream';

/** Bytes that were received, but are not an object yet. */
export interface SpooledBytes {
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What the answer of a signed address says about an object, and when the address is valid. */
export interface SignedAnswer {
  filename: string;
  disposition: 'inline' | 'attachment';
  mimeType: string;
  from: Date;
  seconds: number;
}

/**
 * Where the bytes of files are. Implemented by the storage provider. Keys are `<workspace uuid>/<object uuid>`. For the
 * api, failures are `Unavailable` (`storage_unavailable`); for activities, they are those of `providers/failures.ts`.
 */
export interface ObjectStore {
  /** Whether the bytes are on disk, or in an S3-compatible storage. */
  readonly kind: 'disk' | 's3';
  /** The folder that uploads are received into. */
  readonly spoolFolder: string;
  receive(source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<SpooledBytes>;
  /** Idempotent. Consumes the spooled bytes. */
  put(key: string, spooled: SpooledBytes, object: { mimeType: string }): Promise<void>;
  /** A range ends with the object at the latest. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  head(key: string): Promise<{ bytes: number } | undefined>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /** Undefined if the storage has no address that clients can reach: the api then serves the bytes itself. */
  sign(key: string, answer: SignedAnswer): string | undefined;
}

export function objectKey(workspaceUuid: string, objectUuid: string): string {
  return `${workspaceUuid}/${objectUuid}`;
}
