import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../db/database.js';
import type { LiveListener } from '../../../../db/live/live-listener.js';
import { ChatHub, type Follower } from '../../../../domain/conversations/chat-events/chat-hub.js';
import { ChatStream } from '../../../../domain/conversations/chat-events/chat-stream.js';
import type { ChangeBatch, ChatChange } from '../../../../domain/conversations/chat-events/read-changes.js';
import { waitFor } from '../../../support/lib/wait-for.js';

const place = { workspaceId: 1, chatId: 1 };
const change = (revision: number) => ({ kind: 'message.created', revision }) as ChatChange;

/** A chat that has had `had` changes, and a stream that follows it. */
function follow(options: { after: number; had: number; room?: number }) {
  const told: number[] = [];
  const state = { had: options.had, room: options.room ?? Number.POSITIVE_INFINITY, reads: 0, ended: false };
  let waiting: { ready: Promise<void>; resolve: () => void } | undefined;
  const between = (after: number, upTo: number): ChangeBatch => ({
    after,
    upTo,
    changes: Array.from({ length: upTo - after }, (_, n) => change(after + n + 1)),
    complete: upTo === state.had,
  });
  const hub: Pick<ChatHub, 'follow' | 'read'> = {
    follow: (_place, _revision, _follower: Follower) => () => {},
    async read(_place, after) {
      state.reads += 1;
      return between(after, Math.min(after + 10, state.had));
    },
  };
  const stream = new ChatStream(hub as ChatHub, place, options.after, {
    change: ({ revision }) => {
      state.room -= 1;
      told.push(revision);
    },
    signal: () => told.push(-1),
    whenReady() {
      if (state.room > 0) return undefined;
      let resolve = () => {};
      const ready = new Promise<void>((done) => {
        resolve = done;
      });
      waiting ??= { ready, resolve };
      return waiting.ready;
    },
    end: () => {
      state.ended = true;
    },
  });
  return {
    stream,
    told,
    state,
    between,
    /** The reader consumes what was written, and has room for this many more changes. */
    read(room: number) {
      state.room = room;
      waiting?.resolve();
      waiting = undefined;
    },
  };
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe('ChatStream', () => {
  it('sends a change once when the hub delivers it after the stream has read it', async () => {
    const { stream, told, state, between } = follow({ after: 0, had: 5 });
    stream.start();
    await waitFor('it is up to date', () => told.length === 5);
    state.had = 7;
    stream.takeBatch(between(2, 7));

    expect(told).toEqual(upTo(7));
  });

  it('reads the changes between its position and the batch of the hub', async () => {
    const { stream, told, state, between } = follow({ after: 0, had: 3 });
    stream.start();
    await waitFor('it is up to date', () => told.length === 3);
    state.had = 30;
    stream.takeBatch(between(25, 30));

    await waitFor('it is up to date', () => told.length === 30);
    expect(told).toEqual(upTo(30));
  });

  it('waits for a reader without room, and then continues where the reader was', async () => {
    const { stream, told, state, between, read } = follow({ after: 0, had: 0 });
    stream.start();
    await waitFor('it is up to date', () => state.reads === 1);
    state.room = 2;
    state.had = 6;
    stream.takeBatch(between(0, 6));
    expect(told).toEqual([1, 2]);
    stream.takeSignal({ type: 'reply.dropped', turn: 'turn', round: 1 });

    for (let room = 0; room < 10; room += 1) {
      read(1);
      await waitFor('it was taken', () => state.room === 0 || told.length === 6);
    }
    expect(told).toEqual(upTo(6));
  });

  it('sends nothing after stop', async () => {
    const { stream, told, state, between } = follow({ after: 0, had: 2 });
    stream.start();
    await waitFor('it is up to date', () => told.length === 2);
    stream.stop();
    state.had = 4;
    stream.takeBatch(between(2, 4));
    stream.takeSignal({ type: 'reply.dropped', turn: 'turn', round: 1 });

    expect(told).toEqual([1, 2]);
  });
});

/** A hub that makes one read at a time. Each read waits until the test releases it, and finds no chat. */
function hubWithHeldReads() {
  const held: (() => void)[] = [];
  const readInWorkspace = () => new Promise<undefined>((resolve) => held.push(() => resolve(undefined)));
  const db = { readInWorkspace } as unknown as Database;
  const hub = new ChatHub({ db, listener: {} as LiveListener, readsAtOnce: 1 });
  const letNextGo = async () => {
    await waitFor('a read is held', () => held.length === 1);
    held.shift()?.();
  };
  return { hub, held, letNextGo };
}

it('ChatHub shares one read among followers that wait to read after the same revision', async () => {
  const { hub, held, letNextGo } = hubWithHeldReads();
  const reads = [5, 5, 5, 5].map((after) => hub.read(place, after));

  await letNextGo();
  await letNextGo();
  await Promise.all(reads);

  expect(held).toEqual([]);
});

it('ChatHub does not share a read that has begun, nor one after another revision', async () => {
  const { hub, letNextGo } = hubWithHeldReads();
  const begun = hub.read(place, 5);
  const later = hub.read(place, 5);
  const other = hub.read(place, 6);

  expect(later).not.toBe(begun);
  expect(other).not.toBe(later);

  await letNextGo();
  await begun;
  await letNextGo();
  await later;
  const again = hub.read(place, 5);
  await letNextGo();
  await other;
  await letNextGo();
  await again;
});
