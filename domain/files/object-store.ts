import type { Readable } from 'node:stream';
import { Unavailable } from '../lib/errors.js';

/** Bytes that were received, but are not an object yet. */
export interface SpooledBytes {
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Bytes as they come. */
export interface ByteSource extends AsyncIterable<Uint8Array> {
  /** Stops early. */
  destroy(): void;
}

/** What the answer of a signed address says about an object, and when the address is valid. */
export interface SignedAnswer {
  filename: string;
  disposition: 'inline' | 'attachment';
  mimeType: string;
  from: Date;
  seconds: number;
}

/** The storage has not answered: the bytes may be stored, now or later. */
export class PutUnknown extends Unavailable {}

/**
 * Where the bytes of files are. Implemented by the storage provider. Keys are `<workspace uuid>/<object uuid>`. For the
 * api, failures are `Unavailable` (`storage_unavailable`), of which only `PutUnknown` may have stored bytes; for activities, they are those of `providers/failures.ts`.
 */
export interface ObjectStore {
  /** Whether the bytes are on disk, or in an S3-compatible storage. */
  readonly kind: 'disk' | 's3';
  /**
   * Receives bytes of unknown length. Keeps nothing that the source gives when it asks for the next. What fails leaves
   * nothing. @throws what the source throws
   */
  receive(source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<SpooledBytes>;
  /** Idempotent. Consumes the spooled bytes. */
  put(key: string, spooled: SpooledBytes, object: { mimeType: string }): Promise<void>;
  /** A range ends with the object at the latest. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** `get`, where each piece is valid only until the next is asked for. */
  read(key: string, range?: { start: number; end: number }): Promise<ByteSource>;
  head(key: string): Promise<{ bytes: number } | undefined>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /** Undefined if the storage has no address that clients can reach: the api then serves the bytes itself. */
  sign(key: string, answer: SignedAnswer): string | undefined;
}

export function objectKey(workspaceUuid: string, objectUuid: string): string {
  return `${workspaceUuid}/${objectUuid}`;
}
