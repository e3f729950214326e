import { chatRevisions } from '../../../db/conversations/chat-changes.js';
import type { Database } from '../../../db/database.js';
import type { LiveListener } from '../../../db/live/live-listener.js';
import type { ChatPlace, Notice, Signal } from '../../../db/live/notices.js';
import type { ChangeBatch } from './chat-change.js';
import { readChanges } from './read-changes.js';
import { Semaphore } from './semaphore.js';

/** One who follows a chat. Its methods do not throw and do not wait. */
export interface Follower {
  takeBatch(batch: ChangeBatch): void;
  takeSignal(signal: Signal): void;
  /** Nothing more will come: the chat is gone, or the process stops. */
  end(): void;
}

export interface ChatHubOptions {
  db: Database;
  listener: LiveListener;
  /** How often the revisions of followed chats are looked at, should a notice have been lost. */
  lookEveryMs?: number;
  /** Reads at once, so that followers never take all of the pool's connections. */
  readsAtOnce?: number;
  /** After a read that failed, until the next. */
  retryMs?: number;
}

interface Topic {
  place: ChatPlace;
  /** Up to which revision the followers were given what happened. */
  revision: number;
  followers: Set<Follower>;
  reading: boolean;
  /** Told of a change since the read began. */
  stale: boolean;
}

const keyOf = ({ workspaceId, chatId }: ChatPlace) => `${workspaceId}:${chatId}`;

/**
 * Brings what happens in chats to those who follow them in this process: told by the listener that a chat has
 * changed, it reads once what is new and hands that to all followers of the chat.
 */
export class ChatHub {
  readonly #db: Database;
  readonly #listener: LiveListener;
  readonly #topics = new Map<string, Topic>();
  readonly #reads: Semaphore;
  /** Reads that wait for their turn, by chat and revision: followers that are equally far behind share one. */
  readonly #waiting = new Map<string, Promise<ChangeBatch | undefined>>();
  readonly #lookEveryMs: number;
  readonly #retryMs: number;
  #lookTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChatHubOptions) {
    this.#db = options.db;
    this.#listener = options.listener;
    this.#reads = new Semaphore(options.readsAtOnce ?? 4);
    this.#lookEveryMs = options.lookEveryMs ?? 30_000;
    this.#retryMs = options.retryMs ?? 1_000;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Follows a chat from a revision on that the caller has read. @returns how to stop */
  follow(place: ChatPlace, revision: number, follower: Follower): () => void {
    if (this.#closed) {
      follower.end();
      return () => {};
    }
    this.#begin();
    const key = keyOf(place);
    const topic = this.#topics.get(key) ?? {
      place,
      revision,
      followers: new Set(),
      reading: false,
      stale: false,
    };
    topic.followers.add(follower);
    this.#topics.set(key, topic);
    return () => {
      topic.followers.delete(follower);
      if (topic.followers.size === 0 && this.#topics.get(key) === topic) this.#topics.delete(key);
    };
  }

  /** What happened after a revision, for a follower that is behind. */
  read(place: ChatPlace, after: number): Promise<ChangeBatch | undefined> {
    const key = `${keyOf(place)}:${after}`;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    let hasBegun = false;
    const read = this.#reads.run(() => {
      hasBegun = true;
      // One that has begun may not see what a follower was told of since.
      this.#waiting.delete(key);
      return readChanges(this.#db, place, after);
    });
    if (!hasBegun) this.#waiting.set(key, read);
    return read;
  }

  /** Ends everything that is followed. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#lookTimer);
    for (const topic of this.#topics.values()) this.#end(topic);
    await this.#listener.close();
  }

  #begin(): void {
    if (this.#lookTimer !== undefined) return;
    this.#lookTimer = setInterval(() => void this.#look(), this.#lookEveryMs);
    this.#lookTimer.unref();
    this.#listener.start({
      onNotice: (notice) => this.#take(notice),
      onListening: () => void this.#look(),
    });
  }

  #take(notice: Notice): void {
    if (notice.kind === 'changed') {
      for (const place of notice.chats) this.#refresh(this.#topics.get(keyOf(place)));
      return;
    }
    for (const follower of this.#topics.get(keyOf(notice.place))?.followers ?? []) {
      follower.takeSignal(notice.signal);
    }
  }

  /** Reads on wherever the revision is ahead of what the followers were given. */
  async #look(): Promise<void> {
    const byWorkspace = new Map<number, Topic[]>();
    for (const topic of this.#topics.values()) {
      const { workspaceId } = topic.place;
      const others = byWorkspace.get(workspaceId);
      if (others === undefined) byWorkspace.set(workspaceId, [topic]);
      else others.push(topic);
    }
    for (const [workspaceId, topics] of byWorkspace) {
      const ids = topics.map((topic) => topic.place.chatId);
      try {
        const revisions = await this.#reads.run(() =>
          this.#db.readInWorkspace(workspaceId, (tx) => chatRevisions(tx, ids)),
        );
        for (const topic of topics) {
          if (revisions.get(topic.place.chatId) !== topic.revision) this.#refresh(topic);
        }
      } catch {
        // The database is away; the next look is not far.
      }
    }
  }

  #refresh(topic: Topic | undefined): void {
    if (topic === undefined) return;
    topic.stale = true;
    if (!topic.reading) void this.#readOn(topic);
  }

  async #readOn(topic: Topic): Promise<void> {
    topic.reading = true;
    try {
      while (topic.stale && topic.followers.size > 0) {
        topic.stale = false;
        const batch = await this.read(topic.place, topic.revision);
        if (batch === undefined) {
          this.#end(topic);
          return;
        }
        topic.revision = batch.upTo;
        if (!batch.complete) topic.stale = true;
        for (const follower of topic.followers) follower.takeBatch(batch);
      }
    } catch {
      setTimeout(() => this.#refresh(topic), this.#retryMs).unref();
    } finally {
      topic.reading = false;
    }
  }

  #end(topic: Topic): void {
    for (const follower of topic.followers) follower.end();
    topic.followers.clear();
    this.#topics.delete(keyOf(topic.place));
  }
}
