import { expect, it } from 'vitest';
import type { ChangedChat } from '../../../../db/conversations/workspace-changes.js';
import {
  mostChanges,
  type WorkspaceBatch,
  type WorkspaceFollower,
  type WorkspaceHub,
} from '../../../../domain/conversations/chat-events/workspace-hub.js';
import {
  type WorkspaceChange,
  WorkspaceStream,
} from '../../../../domain/conversations/chat-events/workspace-stream.js';

const reader = { workspaceId: 1, memberId: 2, can: () => true, require: () => {} };

function changeOf(chatId: number, values: Partial<ChangedChat> = {}): ChangedChat {
  return {
    ...{ chatId, assignmentId: null, needsResponse: false, queueChanged: false },
    ...{ memberId: 3, createdByMemberId: null, participants: [] },
    ...values,
  };
}

const batch = (before: number, chats: ChangedChat[]): WorkspaceBatch => ({
  ...{ chats, calls: [], isWhole: true, seen: { before, except: [before - 5] } },
});

/**
 * A stream that goes on after an id, and a reader that takes an event when it is told to.
 * @param meanwhile comes while what was missed is read
 */
async function slowReader(missed = batch(10, []), meanwhile?: WorkspaceBatch) {
  let follower: WorkspaceFollower | undefined;
  const hub = {
    follow: async (_workspaceId: number, stream: WorkspaceFollower) => {
      follower = stream;
      return { seen: { before: 10, except: [] }, stop: () => {} };
    },
    read: async () => {
      if (meanwhile !== undefined) follower?.takeBatch(meanwhile);
      return missed;
    },
  } as unknown as WorkspaceHub;
  const stream = await WorkspaceStream.open(hub, reader, 10);
  const sent: [WorkspaceChange, number | undefined][] = [];
  let take = () => {};
  let room: Promise<void> | undefined = new Promise((resolve) => {
    take = resolve;
  });
  stream.start({ send: (change, id) => sent.push([change, id]), whenReady: () => room, end: () => {} });
  return {
    stream,
    sent,
    async takesAll() {
      room = undefined;
      take();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('a slow reader is told of each chat once, as it is by then, and of the queue; the last event says where to go on', async () => {
  const { stream, sent, takesAll } = await slowReader();
  for (let n = 0; n < 100; n += 1) {
    stream.takeBatch(
      batch(20 + n, [changeOf(7, { needsResponse: n === 99, queueChanged: n === 50 }), changeOf(8)]),
    );
  }
  expect(sent).toEqual([]);
  await takesAll();

  expect(sent).toEqual([
    [{ kind: 'chat.changed', chatId: 7, assignmentId: null, needsResponse: true }, undefined],
    [{ kind: 'chat.changed', chatId: 8, assignmentId: null, needsResponse: false }, undefined],
    [{ kind: 'queue.changed' }, 114],
  ]);
});

it('a slow reader of too many chats is told to list anew', async () => {
  const { stream, sent, takesAll } = await slowReader();
  for (let n = 0; n <= 2 * mostChanges; n += 1) stream.takeBatch(batch(20 + n, [changeOf(n)]));
  stream.takeBatch(batch(5_000, [changeOf(3)]));
  await takesAll();

  expect(sent.map(([{ kind }]) => kind)).toEqual(['workspace.snapshot', 'chat.changed']);
  expect(sent.at(-1)?.[1]).toBe(4_995);
});

it('what was missed does not replace what came while it was read', async () => {
  const missed = batch(20, [changeOf(7), changeOf(8)]);
  const { sent, takesAll } = await slowReader(missed, batch(30, [changeOf(7, { needsResponse: true })]));
  await takesAll();

  expect(sent).toEqual([
    [{ kind: 'chat.changed', chatId: 7, assignmentId: null, needsResponse: true }, undefined],
    [{ kind: 'chat.changed', chatId: 8, assignmentId: null, needsResponse: false }, 25],
  ]);
});
