import type { Readable } from 'node:stream';
import { ProviderBusy, ProviderOutcomeUnknown, ProviderRefused, ProviderUnusable } from '../failures.js';

/** Bytes in the spool folder of the storage: received completely, but not an object yet. */
export interface Spooled {
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Positions of the first and the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes as they come. */
export interface ByteSource extends AsyncIterable<Uint8Array> {
  /** Stops early. */
  destroy(): void;
}

/** What the answer of a signed address says about the object, whatever the storage knows of it. */
export interface SignedAnswer {
  filename: string;
  disposition: 'inline' | 'attachment';
  mimeType: string;
  /** When the address begins to be valid, and for how long it is. The same address for the same moment. */
  from: Date;
  seconds: number;
}

/**
 * Keeps objects: bytes under a key, `<workspace uuid>/<object uuid>`, that never change. It never retries: callers
 * decide about that. Error messages never quote keys, buckets or addresses.
 */
export interface Storage {
  /** Where the bytes are. */
  readonly kind: 'disk' | 's3';

  /**
   * The folder that bytes are received into before they become an object. The code that writes a file into it makes an
   * object of it by `put`, or removes it; `collectSpools` removes what a crash left.
   */
  readonly spoolFolder: string;

  /**
   * Receives bytes of unknown length into the spool folder. Leaves no file behind when the source fails. Keeps nothing
   * that the source gives when it asks for the next.
   * @throws StorageTooLarge when there are more than `maxBytes`
   */
  receive(source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<Spooled>;

  /**
   * Makes an object of spooled bytes, which are then no longer in the spool folder. Resolves when the object would
   * survive a crash. Idempotent: repeated for a key whose object is complete, the same bytes replace themselves.
   * After a failure the spooled bytes are still there, and may be put again.
   */
  put(key: string, spooled: Spooled, object: { mimeType: string }): Promise<void>;

  /**
   * The bytes of an object, or a part of them, as they come. A range that ends beyond the object ends with it.
   * Destroy the stream to stop early.
   * @throws StorageMissing, StorageRangeUnsatisfiable
   */
  get(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * The same for one reader that takes each piece before it asks for the next: pieces may share their memory, so that
   * many bytes leave no garbage. @throws StorageMissing, StorageRangeUnsatisfiable
   */
  read(key: string, range?: ByteRange): Promise<ByteSource>;

  /** Undefined if there is no such object. */
  head(key: string): Promise<{ bytes: number } | undefined>;

  /** Deletes the object and its segments. Idempotent. */
  delete(key: string): Promise<void>;

  /**
   * An address at which anyone can get the object for a while. Undefined if the storage has none that clients can
   * reach: the api then serves the bytes itself.
   */
  sign(key: string, answer: SignedAnswer): string | undefined;

  /** Adds a numbered part (1, 2, 3 …) of an object that is joined later. Idempotent by number. Consumes the spooled bytes, as `put`. */
  putSegment(key: string, number: number, spooled: Spooled): Promise<void>;

  /**
   * Makes one object of the segments 1 to `count`, and deletes them. Idempotent.
   * @throws StorageMissing when a segment is not there
   */
  joinSegments(
    key: string,
    count: number,
    object: { mimeType: string },
  ): Promise<{ bytes: number; sha256: string }>;

  /** Removes spooled files that were not written to since `before`. @returns their number */
  collectSpools(before: Date): Promise<number>;

  /** Fails if the storage cannot be used now, for operators to see at boot. */
  check(): Promise<void>;
}

/** There is no such object. */
export class StorageMissing extends ProviderRefused {
  constructor() {
    super('storage', 'missing', 'The object is not in the storage.');
  }
}

/** The range begins beyond the end of the object. */
export class StorageRangeUnsatisfiable extends ProviderRefused {
  constructor() {
    super('storage', 'range', 'The range begins beyond the end of the object.');
  }
}

/** More bytes than allowed were received. */
export class StorageTooLarge extends ProviderRefused {
  constructor() {
    super('storage', 'too_large', 'More bytes than allowed were received.');
  }
}

/** The storage refuses this request, for a reason of its own. */
export class StorageRefused extends ProviderRefused {
  constructor(code: string) {
    super('storage', code);
  }
}

export class StorageBusy extends ProviderBusy {
  constructor(code: string, retryAfterMs?: number) {
    super('storage', code, retryAfterMs);
  }
}

/** An object may or may not have been stored or deleted: repeat the call. */
export class StorageOutcomeUnknown extends ProviderOutcomeUnknown {
  constructor(code: string) {
    super('storage', code);
  }
}

/** The credential, the bucket, the folder or its space is wrong, which an operator can fix. */
export class StorageUnusable extends ProviderUnusable {
  constructor(code: string, details: { wholeAccount?: boolean } = {}) {
    super('storage', code, details);
  }
}
