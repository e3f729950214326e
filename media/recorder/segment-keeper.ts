import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  keepSegment,
  reserveSegment,
  type SegmentPlace,
  segmentType,
} from '../../domain/calls/recordings/keep-segment.js';
import { objectKey } from '../../domain/files/object-store.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { ProviderFailure } from '../../providers/failures.js';
import type { Spooled, Storage } from '../../providers/storage/storage.js';
import type { Segment } from './tape.js';

/** Where the segments of a stream go. */
export interface StreamPlace {
  workspaceId: number;
  workspaceUuid: string;
  recordingId: number;
  attempt: number;
  /** The position of the stream in the recording. */
  startFrame: number;
}

export interface SegmentKeeperOptions {
  context: ServiceContext;
  storage: Pick<Storage, 'receive' | 'put'>;
  /** A segment that was given up, with the code of the last failure. */
  onLost(place: { workspaceId: number; recordingId: number }, code: string): void;
  onStored(): void;
  /** Before each repetition; after the last one a segment is lost. */
  delaysMs?: readonly number[];
  /** Bytes of segments that are not in the spool folder yet; what comes beyond is lost. */
  maxInMemory?: number;
}

/** Ten minutes in all, in which a storage or a database comes back, or does not. */
const defaultDelaysMs = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 180_000, 180_000];
/** What 250 calls have that end at once. More would be held in memory if the spool folder could not be written. */
const defaultMostInMemory = 256 * 1_024 * 1_024;
const pieceBytes = 64 * 1_024;
const atOnce = { spooled: 4, stored: 4 };

/**
 * Stores the segments of all calls of this process. Each is in the spool folder first, so that a storage that is away
 * costs no memory, and is then put into the storage and made a part of its recording; steps that are done are not repeated.
 */
export class SegmentKeeper {
  readonly #options: SegmentKeeperOptions;
  readonly #delaysMs: readonly number[];
  readonly #keeping = new Set<Promise<void>>();
  #inMemory = 0;
  /** A slow storage does not keep segments in memory. */
  readonly #spooling = new Turns(atOnce.spooled);
  readonly #storing = new Turns(atOnce.stored);
  readonly #ending = new AbortController();

  constructor(options: SegmentKeeperOptions) {
    this.#options = options;
    this.#delaysMs = options.delaysMs ?? defaultDelaysMs;
  }

  /** Segments that are not stored yet. */
  get size(): number {
    return this.#keeping.size;
  }

  /**
   * Never fails. Resolves when the segment is stored, or lost. Nothing that waits refers to its bytes once they are in the spool folder.
   * @param release gets the bytes when they are not read any more, in the spool folder or given up
   */
  keep(place: StreamPlace, segment: Segment, release: (bytes: Buffer) => void = () => {}): Promise<void> {
    const { onLost, maxInMemory = defaultMostInMemory } = this.#options;
    const { byteLength } = segment.bytes;
    if (this.#inMemory + byteLength > maxInMemory) {
      onLost(place, 'too_many_waiting');
      return Promise.resolve();
    }
    this.#inMemory += byteLength;
    const work = new SegmentWork(this.#options, place, segment, (bytes) => {
      this.#inMemory -= byteLength;
      release(bytes);
    });
    const keeping = this.#keep(place, work).finally(() => this.#keeping.delete(keeping));
    this.#keeping.add(keeping);
    return keeping;
  }

  /** Tries a last time what waits to be repeated. Resolves when no segment is being stored. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#keeping);
  }

  async #keep(place: StreamPlace, work: SegmentWork): Promise<void> {
    const { onLost, onStored } = this.#options;
    for (let repetition = 0; ; repetition += 1) {
      try {
        await this.#spooling.take(() => work.spool());
        await this.#storing.take(() => work.goOn());
        onStored();
        return;
      } catch (error) {
        const delay = this.#ending.signal.aborted ? undefined : this.#delaysMs[repetition];
        if (delay === undefined) {
          work.giveUp();
          onLost(place, codeOf(error));
          return;
        }
        await pause(delay, undefined, { signal: this.#ending.signal }).catch(() => {});
      }
    }
  }
}

/** So many do their work at the same time; the others wait in the order in which they came. */
class Turns {
  #places: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  async take(work: () => Promise<unknown>): Promise<void> {
    if (this.#places > 0) this.#places -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#places += 1;
      else next();
    }
  }
}

/** One segment on its way, as far as it has come. */
class SegmentWork {
  #spooled: Spooled | undefined;
  #object: { id: number; uuid: string } | undefined;
  #isPut = false;
  #bytes: Buffer | undefined;
  readonly #segment: Omit<SegmentPlace, 'workspaceId'>;

  constructor(
    private readonly options: Pick<SegmentKeeperOptions, 'context' | 'storage'>,
    private readonly place: StreamPlace,
    { bytes, number, start, frames }: Segment,
    private readonly release: (bytes: Buffer) => void,
  ) {
    const { recordingId, attempt, startFrame } = place;
    this.#bytes = bytes;
    this.#segment = { recordingId, attempt, number, frames, startFrame: startFrame + start };
  }

  async goOn(): Promise<void> {
    const { context, storage } = this.options;
    const { workspaceId, workspaceUuid } = this.place;
    const spooled = await this.spool();
    this.#object ??= await reserveSegment(context, workspaceId, spooled);
    const { id, uuid } = this.#object;
    if (!this.#isPut) await storage.put(objectKey(workspaceUuid, uuid), spooled, { mimeType: segmentType });
    this.#isPut = true;
    await keepSegment(context, { workspaceId, ...this.#segment }, id);
  }

  giveUp(): void {
    this.#releaseBytes();
  }

  /** Done once. */
  async spool(): Promise<Spooled> {
    if (this.#spooled === undefined) {
      const bytes = this.#bytes ?? Buffer.alloc(0);
      this.#spooled = await this.options.storage.receive(inPieces(bytes), { maxBytes: bytes.byteLength });
      this.#releaseBytes();
    }
    return this.#spooled;
  }

  #releaseBytes(): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes !== undefined) this.release(bytes);
  }
}

/** Frames of calls pass between the pieces, each of which is copied and hashed in a tenth of a millisecond. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    await nextTurn();
  }
}

function codeOf(error: unknown): string {
  return error instanceof ProviderFailure ? error.code : 'database';
}
