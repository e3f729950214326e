import {
  type ChangedCall,
  type ChangedChat,
  seenWhollyBefore,
} from '../../../db/conversations/workspace-changes.js';
import type { Actor } from '../../kernel/actor.js';
import {
  mostChanges,
  type WorkspaceBatch,
  type WorkspaceFollower,
  type WorkspaceHub,
} from './workspace-hub.js';

/** A change as it is told: what it is of, and nothing of its content. */
export type WorkspaceChange =
  | { kind: 'workspace.snapshot' | 'queue.changed' }
  | ({ kind: 'chat.changed' } & Pick<ChangedChat, 'chatId' | 'assignmentId' | 'needsResponse'>)
  | ({ kind: 'call.changed' } & ChangedCall);

export interface WorkspaceSink {
  /** @param id given with the last of what is known: where a reader goes on that comes back */
  send(change: WorkspaceChange, id: number | undefined): void;
  whenReady(): Promise<void> | undefined;
  end(): void;
}

export type WorkspaceReader = Pick<Actor, 'workspaceId' | 'memberId' | 'can' | 'require'>;

/**
 * Tells one reader what changes in a workspace, of what it may read, at its pace: changes of the same chat that it has not
 * taken are one, and where there are too many, it is told to list anew.
 */
export class WorkspaceStream implements WorkspaceFollower {
  readonly #unsent = new Map<string, WorkspaceChange>();
  #reader: WorkspaceReader;
  #sink: WorkspaceSink | undefined;
  #upTo = 0;
  #isSending = false;
  #stopFollowing = () => {};
  #isOver = false;

  private constructor(reader: WorkspaceReader) {
    this.#reader = reader;
  }

  /** Begins to follow a workspace: from now on, or from the last id that a reader has. */
  static async open(
    hub: WorkspaceHub,
    reader: WorkspaceReader,
    lastId: number | undefined,
  ): Promise<WorkspaceStream> {
    const stream = new WorkspaceStream(reader);
    const { workspaceId } = reader;
    const { seen, stop } = await hub.follow(workspaceId, stream);
    stream.#stopFollowing = stop;
    try {
      // Read after following, so that nothing is lost in between.
      if (lastId !== undefined) stream.#goOn(await hub.read(workspaceId, { before: lastId, except: [] }));
      else stream.takeBatch({ seen, isWhole: false, chats: [], calls: [] });
    } catch (error) {
      stop();
      throw error;
    }
    return stream;
  }

  start(sink: WorkspaceSink): void {
    this.#sink = sink;
    if (this.#isOver) sink.end();
    else void this.#send(sink);
  }

  stop(): void {
    this.#isOver = true;
    this.#stopFollowing();
  }

  end(): void {
    this.stop();
    this.#sink?.end();
  }

  /** Looks at the reader again. @throws Forbidden where it had all chats in view and has no more */
  check(reader: WorkspaceReader): void {
    if (this.#reader.can('chats:read')) reader.require('chats:read');
    this.#reader = reader;
  }

  takeBatch({ chats, calls, isWhole, seen }: WorkspaceBatch): void {
    const upTo = seenWhollyBefore(seen);
    this.#upTo = isWhole ? Math.max(this.#upTo, upTo) : upTo;
    const shown = chats.filter((chat) => this.#mayRead(chat));
    const ids = new Set(shown.map(({ chatId }) => chatId));
    for (const { chatId, assignmentId, needsResponse } of shown) {
      this.#unsent.set(`chat ${chatId}`, { kind: 'chat.changed', chatId, assignmentId, needsResponse });
    }
    for (const call of calls.filter(({ chatId }) => ids.has(chatId))) {
      this.#unsent.set(`call ${call.phoneCallId}`, { kind: 'call.changed', ...call });
    }
    // Others are not told of claims and snoozes: of their own chats, chat.changed says which wait.
    if (this.#reader.can('chats:read') && shown.some(({ queueChanged }) => queueChanged)) {
      this.#unsent.set('queue', { kind: 'queue.changed' });
    }
    if (!isWhole || this.#unsent.size > 2 * mostChanges) {
      this.#unsent.clear();
      this.#unsent.set('snapshot', { kind: 'workspace.snapshot' });
    }
    if (this.#sink !== undefined) void this.#send(this.#sink);
  }

  /** Takes what a reader has missed. Batches that came while it was read may be newer, and stay. */
  #goOn(missed: WorkspaceBatch): void {
    const meanwhile = [...this.#unsent];
    this.takeBatch(missed);
    for (const [key, change] of meanwhile) this.#unsent.set(key, change);
  }

  #mayRead({ memberId, createdByMemberId, participants }: ChangedChat): boolean {
    const reader = this.#reader;
    return (
      reader.can('chats:read') || [memberId, createdByMemberId, ...participants].includes(reader.memberId)
    );
  }

  async #send(sink: WorkspaceSink): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (const key of this.#unsent.keys()) {
      await sink.whenReady();
      if (this.#isOver) return;
      // Meanwhile it may have changed again, or given way to a snapshot.
      const change = this.#unsent.get(key);
      this.#unsent.delete(key);
      if (change !== undefined) sink.send(change, this.#unsent.size === 0 ? this.#upTo : undefined);
    }
    this.#isSending = false;
  }
}
