import type { ChatPlace, Signal } from '../../../db/live/notices.js';
import type { ChangeBatch, ChatChange } from './chat-change.js';
import type { ChatHub, Follower } from './chat-hub.js';

/** Where a stream's events go. */
export interface StreamSink {
  change(change: ChatChange): void;
  signal(signal: Signal): void;
  /** Resolves once the reader has room for more; undefined when it has. Never rejects. */
  whenReady(): Promise<void> | undefined;
  end(): void;
}

/** After a read that failed, until the next. */
const retryMs = 1_000;

/**
 * One reader's way through a chat: everything after a revision, in order and once, as it happens. Behind at its
 * beginning, it reads by itself, at the pace at which the reader takes it, until it is where the others are.
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

  /** @param after the last revision that the reader knows */
  constructor(hub: ChatHub, place: ChatPlace, after: number, sink: StreamSink) {
    this.#hub = hub;
    this.#place = place;
    this.#revision = after;
    this.#sink = sink;
  }

  /** Begins. What happened since the caller read the revision is read anew, so nothing falls in between. */
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

  /** What is over once it was seen is not worth waiting for. */
  takeSignal(signal: Signal): void {
    if (!this.#stopped && this.#sink.whenReady() === undefined) this.#sink.signal(signal);
  }

  end(): void {
    this.stop();
    this.#sink.end();
  }

  /** Gives what the reader does not know, as far as it has room. @returns whether that was all */
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

  /** Nothing is held for a reader that has no room: what it did not take is read again. */
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

  /** The next batch; undefined when the database was away, and it is to be tried again. */
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
