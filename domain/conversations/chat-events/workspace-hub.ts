import {
  type ChangedCall,
  type ChangedChat,
  type Seen,
  selectWorkspaceChanges,
} from '../../../db/conversations/workspace-changes.js';
import type { Database } from '../../../db/database.js';
import { Admission } from '../../lib/admission.js';
import { SharedReads } from './shared-reads.js';

/** What changed in a workspace. */
export interface WorkspaceBatch {
  chats: readonly ChangedChat[];
  calls: readonly ChangedCall[];
  /** False if more changed than is told, or it is not known what did. */
  isWhole: boolean;
  seen: Seen;
}

/** A subscriber to the changes of a workspace. Its methods must not throw or block. */
export interface WorkspaceFollower {
  takeBatch(batch: WorkspaceBatch): void;
  /** No more calls will follow: the process stops. */
  end(): void;
}

export interface WorkspaceHubOptions {
  db: Database;
  retryMs: number;
}

interface Topic {
  workspaceId: number;
  seen: Seen;
  followers: Set<WorkspaceFollower>;
  /** Resolves once it is known from where its changes are told. */
  opened: Promise<void>;
  /** Whether it is read, or will be soon. */
  isBusy: boolean;
  /** Whether a change was reported since the current read began. */
  isStale: boolean;
  restsUntil: number;
}

/** The most chats that one batch names: beyond it, a reader had better list anew. */
export const mostChanges = 1_000;

/** How long changes gather before they are read. */
const gatherMs = 250;
/** The shortest time between two reads of a workspace, and after one that found too much. */
const restMs = 500;
const longRestMs = 5_000;
/** Over how long streams are told to list anew, all of which then do. */
const anewWithinMs = 5_000;
/** How many reads there are at once: they wait for each other, and not the changes of open chats for them. */
const readsAtOnce = 2;

/** Nothing is beyond it. */
const everything: Seen = { before: Number.MAX_SAFE_INTEGER, except: [] };

/** Reads what changes in a workspace once for all its followers in this process, some at a time, when changes are reported. */
export class WorkspaceHub {
  readonly #options: WorkspaceHubOptions;
  readonly #topics = new Map<number, Topic>();
  /** By workspace and what was seen: clients that come back together have the same last id. */
  readonly #reads = new SharedReads<WorkspaceBatch>(new Admission({ slots: readsAtOnce }));

  constructor(options: WorkspaceHubOptions) {
    this.#options = options;
  }

  /** Follows a workspace. @returns from where its changes are told, and a function that stops following */
  async follow(workspaceId: number, follower: WorkspaceFollower): Promise<{ seen: Seen; stop: () => void }> {
    const topic = this.#topics.get(workspaceId) ?? this.#open(workspaceId);
    topic.followers.add(follower);
    const stop = () => {
      topic.followers.delete(follower);
      if (topic.followers.size === 0 && this.#topics.get(workspaceId) === topic)
        this.#topics.delete(workspaceId);
    };
    await topic.opened.catch((error) => {
      stop();
      throw error;
    });
    return { seen: topic.seen, stop };
  }

  /** Reads what changed beyond what was seen. */
  read(workspaceId: number, seen: Seen): Promise<WorkspaceBatch> {
    return this.#reads.run(`${workspaceId}:${seen.before}:${seen.except}`, async () => {
      const found = await this.#options.db.readInWorkspace(workspaceId, (tx) =>
        selectWorkspaceChanges(tx, seen, mostChanges + 1),
      );
      const isWhole = Math.max(found.chats.length, found.calls.length) <= mostChanges;
      // What was seen is of another database, such as the one that this was restored from.
      return { ...found, isWhole: isWhole && seen.before <= found.seen.before };
    });
  }

  changed(workspaceId: number): void {
    const topic = this.#topics.get(workspaceId);
    if (topic !== undefined) this.#wake(topic);
  }

  /** Reads all followed workspaces, each some time within an interval, because notices may have been lost. */
  look(withinMs = 0): void {
    for (const topic of this.#topics.values()) {
      setTimeout(() => this.#wake(topic), Math.random() * withinMs).unref();
    }
  }

  /** Has all streams list anew: the database may be another, which counts its transactions from before those that were seen. */
  beginAnew(): void {
    for (const topic of this.#topics.values()) topic.seen = { ...everything };
    this.look(anewWithinMs);
  }

  end(): void {
    const topics = [...this.#topics.values()];
    this.#topics.clear();
    for (const { followers } of topics) {
      for (const follower of followers) follower.end();
      followers.clear();
    }
  }

  #open(workspaceId: number): Topic {
    const opened = this.read(workspaceId, everything).then(({ seen }) => {
      topic.seen = seen;
      topic.isBusy = false;
      if (topic.isStale) this.#wake(topic);
    });
    const topic: Topic = {
      workspaceId,
      opened,
      seen: everything,
      followers: new Set(),
      isBusy: true,
      isStale: false,
      restsUntil: 0,
    };
    this.#topics.set(workspaceId, topic);
    return topic;
  }

  #wake(topic: Topic): void {
    topic.isStale = true;
    if (topic.isBusy) return;
    topic.isBusy = true;
    setTimeout(
      () => void this.#readOn(topic),
      Math.max(gatherMs, topic.restsUntil - performance.now()),
    ).unref();
  }

  async #readOn(topic: Topic): Promise<void> {
    topic.isStale = false;
    if (topic.followers.size === 0) return;
    let rest = restMs;
    try {
      const { seen } = topic;
      const batch = await this.read(topic.workspaceId, seen);
      // Unless it has begun anew meanwhile.
      if (topic.seen === seen) topic.seen = batch.seen;
      if (!batch.isWhole) rest = longRestMs;
      for (const follower of topic.followers) follower.takeBatch(batch);
    } catch {
      topic.isStale = true;
      rest = this.#options.retryMs;
    }
    topic.restsUntil = performance.now() + rest;
    topic.isBusy = false;
    if (topic.isStale) this.#wake(topic);
  }
}
