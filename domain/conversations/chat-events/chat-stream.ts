import type { ChatPlace, Signal } from '../../../db/live/notices.js';
import type { ChatHub, Follower } from './chat-hub.js';
import type { ChangeBatch, ChatChange } from './read-changes.js';

export interface StreamSink {
  change(change: ChatChange): void;
  signal(signal: Signal): void;
  /** Resolves when the reader can take more; undefined if it already can. Never rejects. */
  whenReady(): Promise<void> | undefined;
  end(): void;
}

const retryMs = 1_000;

/**
 * Delivers the changes of a chat to one reader: every change after a revision, in order and once. A stream that lags
 * behind reads batches itself, at the reader's pace, until it has caught up with the hub.
 */
export class ChatStream implements Follower {
  readonly #hub: ChatHub;
  readonly #place: ChatPlace;
  readonly #sink: StreamSink;
  #revision: number;
  #catchingUp = false;
  #moreCame = false;
  #stopFollowing: (() => void) | undefined;
  #stopped = false;

  /** @param after the last revision that the reader has */
  constructor(hub: ChatHub, place: ChatPlace, after: number, sink: StreamSink) {
    this.#hub = hub;
    this.#place = place;
    this.#revision = after;
    this.#sink = sink;
  }

  /** Starts the stream. Changes since the given revision are read after subscribing, so none is lost in between. */
  start(): void {
    this.#stopFollowing = this.#hub.follow(this.#place, this.#revision, this);
    void this.#catchUp();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopFollowing?.();
  }

  takeBatch(batch: ChangeBatch): void {
    this.#moreCame = true;
    if (this.#catchingUp || this.#stopped) return;
    if (batch.after > this.#revision || !this.#give(batch)) void this.#catchUp();
  }

  /** Drops the signal if the reader has no room: signals are transient and not worth buffering. */
  takeSignal(signal: Signal): void {
    if (!this.#stopped && this.#sink.whenReady() === undefined) this.#sink.signal(signal);
  }

  end(): void {
    this.stop();
    this.#sink.end();
  }

  /** Sends the batch's changes that the reader does not have yet, while it has room. @returns whether all were sent */
  #give({ changes, upTo }: ChangeBatch): boolean {
    for (const change of changes) {
      if (change.revision <= this.#revision) continue;
      if (this.#stopped || this.#sink.whenReady() !== undefined) return false;
      this.#sink.change(change);
      this.#revision = change.revision;
    }
    this.#revision = Math.max(this.#revision, upTo);
    return true;
  }

  /** Reads and sends until the reader is up to date. Nothing is buffered: what it did not take is read again. */
  async #catchUp(): Promise<void> {
    this.#catchingUp = true;
    do {
      await this.#sink.whenReady();
      if (this.#stopped) return;
      this.#moreCame = false;
      const batch = await this.#read();
      if (batch === 'gone') return this.end();
      if (batch !== undefined && (!this.#give(batch) || !batch.complete)) this.#moreCame = true;
    } while (this.#moreCame);
    this.#catchingUp = false;
  }

  /** Reads the next batch; undefined if the database was unavailable and the read is to be repeated. */
  async #read(): Promise<ChangeBatch | 'gone' | undefined> {
    try {
      return (await this.#hub.read(this.#place, this.#revision)) ?? 'gone';
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      this.#moreCame = true;
      return undefined;
    }
  }
}
