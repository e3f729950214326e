import { PassThrough, type Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import { joinSegments } from './join-segments.js';
import { checkedKey, segmentKey, segmentsPrefix } from './keys.js';
import { S3Client, type S3Settings } from './s3-client.js';
import { connectionFailure } from './s3-failures.js';
import { Spool } from './spool.js';
import {
  type ByteRange,
  type SignedAnswer,
  type Spooled,
  type Storage,
  StorageMissing,
  StorageOutcomeUnknown,
  StorageRefused,
  StorageUnusable,
} from './storage.js';

export interface S3StorageOptions extends S3Settings {
  spoolFolder: string;
  /** The endpoint at which clients reach the bucket; absent: they do not, and no address is signed. */
  publicEndpoint?: string | undefined;
}

const segmentType = 'application/octet-stream';
const readAhead = 256 * 1024;

/** Objects in a bucket of an S3-compatible service. The spool is a folder of this process's machine. */
export class S3Storage implements Storage {
  readonly kind = 's3';
  readonly spoolFolder: string;
  readonly #client: S3Client;
  readonly #spool: Spool;
  readonly #publicEndpoint: string | undefined;

  constructor({ spoolFolder, publicEndpoint, ...settings }: S3StorageOptions) {
    this.#client = new S3Client(settings);
    this.#spool = new Spool(spoolFolder);
    this.spoolFolder = this.#spool.folder;
    this.#publicEndpoint = publicEndpoint;
  }

  receive(source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<Spooled> {
    return this.#spool.receive(source, limit);
  }

  put(key: string, spooled: Spooled, { mimeType }: { mimeType: string }): Promise<void> {
    return this.#store(checkedKey(key), spooled, mimeType);
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return this.#open(checkedKey(key), range);
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return this.get(key, range);
  }

  head(key: string): Promise<{ bytes: number } | undefined> {
    return this.#head(checkedKey(key));
  }

  async delete(key: string): Promise<void> {
    await this.#remove(checkedKey(key));
    // As many as a page lists, until none is left.
    for (;;) {
      const segments = await this.#listSegments(key);
      if (segments.length === 0) return;
      for (const segment of segments) await this.#remove(segment);
    }
  }

  sign(key: string, { filename, disposition, mimeType, from, seconds }: SignedAnswer): string | undefined {
    checkedKey(key);
    if (this.#publicEndpoint === undefined) return undefined;
    return this.#client.sign(key, this.#publicEndpoint, {
      'response-content-disposition': contentDisposition(filename, { type: disposition }),
      'response-content-type': mimeType,
      'X-Amz-Date': from.toISOString().replace(/[-:]|\.\d+/g, ''),
      'X-Amz-Expires': String(seconds),
    });
  }

  putSegment(key: string, number: number, spooled: Spooled): Promise<void> {
    return this.#store(segmentKey(key, number), spooled, segmentType);
  }

  joinSegments(key: string, count: number, object: { mimeType: string }) {
    const store = {
      spool: this.#spool,
      open: (of: string) => this.#open(of),
      put: (of: string, joined: Spooled) => this.#store(of, joined, object.mimeType),
      deleteSegments: async (of: string) => {
        for (let number = 1; number <= count; number += 1) await this.#remove(segmentKey(of, number));
      },
    };
    return joinSegments(store, key, count, object);
  }

  collectSpools(before: Date): Promise<number> {
    return this.#spool.collect(before);
  }

  async check(): Promise<void> {
    await this.#spool.prepare();
    await this.#list('');
  }

  async #store(key: string, spooled: Spooled, mimeType: string): Promise<void> {
    if (!(await this.#spool.has(spooled))) {
      // An earlier attempt has stored it, and could not say so.
      const stored = await this.#head(key);
      if (stored?.bytes !== spooled.bytes) throw new StorageRefused('spool_missing');
      return;
    }
    try {
      await this.#client.request({
        method: 'PUT',
        key,
        headers: { 'Content-Type': mimeType },
        body: spooled,
      });
    } catch (error) {
      throw await this.#explained(error);
    }
    await this.#spool.remove(spooled);
  }

  /** Servers that refuse a body while it is sent break the connection: whether the account is at fault, a short request tells. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof StorageOutcomeUnknown)) return error;
    const found = await this.#list('').catch((reason: unknown) => reason);
    return found instanceof StorageUnusable ? found : error;
  }

  async #open(key: string, range?: ByteRange): Promise<Readable> {
    const headers: Record<string, string> = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    const answer = await this.#client.open({ method: 'GET', key, headers });
    const bytes = new PassThrough({ highWaterMark: readAhead });
    answer.once('error', (error) => bytes.destroy(connectionFailure(error, 'GET')));
    bytes.once('close', () => answer.destroy());
    return answer.pipe(bytes);
  }

  async #head(key: string): Promise<{ bytes: number } | undefined> {
    try {
      const { headers } = await this.#client.request({ method: 'HEAD', key });
      return { bytes: Number(headers['content-length']) };
    } catch (error) {
      if (!(error instanceof StorageMissing || error instanceof StorageRefused)) throw error;
      // The answer to HEAD has no code: whether the bucket itself is missing or refused, another request tells.
      await this.#list('');
      if (error instanceof StorageMissing) return undefined;
      throw error;
    }
  }

  async #remove(key: string): Promise<void> {
    try {
      await this.#client.request({ method: 'DELETE', key });
    } catch (error) {
      if (!(error instanceof StorageMissing)) throw error;
    }
  }

  async #listSegments(key: string): Promise<string[]> {
    const prefix = segmentsPrefix(key);
    const found = (await this.#list(prefix)).matchAll(/<Key>([0-9a-f/-]+\.segments\/\d+)<\/Key>/g);
    return Array.from(found, ([, segment]) => String(segment)).filter((segment) =>
      segment.startsWith(prefix),
    );
  }

  /** One page of the keys with this prefix; without a prefix, one key. */
  async #list(prefix: string): Promise<string> {
    const query = { 'list-type': '2', ...(prefix === '' ? { 'max-keys': '1' } : { prefix }) };
    return (await this.#client.request({ method: 'GET', query })).text;
  }
}
