import { chatRevisions } from '../../../db/conversations/chat-changes.js';
import type { Database } from '../../../db/database.js';
import type { LiveListener } from '../../../db/live/live-listener.js';
import type { ChatPlace, Notice, Signal } from '../../../db/live/notices.js';
import { Admission } from '../../lib/admission.js';
import { type ChangeBatch, readChanges } from './read-changes.js';
import { SharedReads } from './shared-reads.js';
import { WorkspaceHub } from './workspace-hub.js';
import { type WorkspaceReader, WorkspaceStream } from './workspace-stream.js';

/** A subscriber to the changes of a chat. Its methods must not throw or block. */
export interface Follower {
  takeBatch(batch: ChangeBatch): void;
  takeSignal(signal: Signal): void;
  /** No more calls will follow: the chat is gone, or the process stops. */
  end(): void;
}

export interface ChatHubOptions {
  db: Database;
  listener: LiveListener;
  /** How often the revisions of followed chats are polled, in case a notification was lost. */
  checkEveryMs?: number;
  /** Maximum number of concurrent reads, so that followers never occupy the whole connection pool. */
  readsAtOnce?: number;
  retryMs?: number;
}

interface Topic {
  place: ChatPlace;
  revision: number;
  followers: Set<Follower>;
  reading: boolean;
  /** Whether a change was reported since the current read began. */
  stale: boolean;
}

const keyOf = ({ workspaceId, chatId }: ChatPlace) => `${workspaceId}:${chatId}`;

/** Reads each change of a chat once for all its followers in this process, when the listener reports it. */
export class ChatHub {
  readonly #options: Required<ChatHubOptions>;
  readonly #topics = new Map<string, Topic>();
  readonly #reads: Admission;
  /** By chat and revision, so that followers at the same revision share one read. */
  readonly #changes: SharedReads<ChangeBatch | undefined>;
  readonly #workspaces: WorkspaceHub;
  #checkTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChatHubOptions) {
    this.#options = { checkEveryMs: 30_000, readsAtOnce: 4, retryMs: 1_000, ...options };
    this.#reads = new Admission({ slots: this.#options.readsAtOnce });
    this.#changes = new SharedReads(this.#reads);
    this.#workspaces = new WorkspaceHub(this.#options);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Follows a chat from a revision that the caller has read. @returns a function that stops following */
  follow(place: ChatPlace, revision: number, follower: Follower): () => void {
    if (this.#closed) {
      follower.end();
      return () => {};
    }
    this.#begin();
    const key = keyOf(place);
    const fresh: Topic = { place, revision, followers: new Set(), reading: false, stale: false };
    const topic = this.#topics.get(key) ?? fresh;
    topic.followers.add(follower);
    this.#topics.set(key, topic);
    return () => {
      topic.followers.delete(follower);
      if (topic.followers.size === 0 && this.#topics.get(key) === topic) this.#topics.delete(key);
    };
  }

  /** Reads the changes after a revision, for a follower that lags behind. */
  read(place: ChatPlace, after: number): Promise<ChangeBatch | undefined> {
    return this.#changes.run(`${keyOf(place)}:${after}`, () => readChanges(this.#options.db, place, after));
  }

  /** Follows what changes in a workspace, by the same notices: from now on, or from the last id that a reader has. */
  followWorkspace(reader: WorkspaceReader, lastId: number | undefined): Promise<WorkspaceStream> {
    this.#begin();
    return WorkspaceStream.open(this.#workspaces, reader, lastId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#checkTimer);
    this.#workspaces.end();
    for (const topic of this.#topics.values()) this.#end(topic);
    await this.#options.listener.close();
  }

  #begin(): void {
    if (this.#checkTimer !== undefined) return;
    this.#checkTimer = setInterval(() => {
      this.#workspaces.look(this.#options.checkEveryMs);
      void this.#look();
    }, this.#options.checkEveryMs);
    this.#checkTimer.unref();
    let hasListened = false;
    this.#options.listener.start({
      onNotice: (notice) => this.#take(notice),
      onListening: () => {
        if (hasListened) this.#workspaces.beginAnew();
        else this.#workspaces.look();
        hasListened = true;
        void this.#look();
      },
    });
  }

  #take(notice: Notice): void {
    if (notice.kind === 'changed') {
      for (const place of notice.chats) {
        this.#refresh(this.#topics.get(keyOf(place)));
        this.#workspaces.changed(place.workspaceId);
      }
      return;
    }
    for (const follower of this.#topics.get(keyOf(notice.place))?.followers ?? []) {
      follower.takeSignal(notice.signal);
    }
  }

  /** Polls the revisions of all followed chats and reads the changes of those that are ahead. */
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
        const revisions = await this.#reads.run({}, () =>
          this.#options.db.readInWorkspace(workspaceId, (tx) => chatRevisions(tx, ids)),
        );
        for (const topic of topics) {
          if (revisions.get(topic.place.chatId) !== topic.revision) this.#refresh(topic);
        }
      } catch {
        // The database is unavailable; the next poll tries again.
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
        if (batch === undefined) return this.#end(topic);
        topic.revision = batch.upTo;
        if (!batch.complete) topic.stale = true;
        for (const follower of topic.followers) follower.takeBatch(batch);
      }
    } catch {
      setTimeout(() => this.#refresh(topic), this.#options.retryMs).unref();
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
