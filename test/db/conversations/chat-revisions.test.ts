import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listMessageChanges } from '../../../db/conversations/chat-changes.js';
import { insertParticipants } from '../../../db/conversations/chat-details.js';
import {
  type ChatRow,
  findChat,
  insertChat,
  lockChat,
  raiseChatVersion,
  updateChat,
} from '../../../db/conversations/chats.js';
import { insertMessage, updateMessage } from '../../../db/conversations/messages.js';
import { Database, type Tx } from '../../../db/database.js';
import { withSavepoint } from '../../../db/savepoint.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const setup = useWorkspace();
let database: Database;
let told: { workspaceId: number; chatIds: number[] }[] = [];

beforeAll(() => {
  database = new Database({
    url: setup.database.appUrl,
    onChatsChanged: (workspaceId, chatIds) => told.push({ workspaceId, chatIds }),
  });
});
afterAll(() => database.close());

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.inWorkspace(setup.workspace.workspaceId, work);

/** Adds a chat, and then clears the notifications that were recorded. */
async function addChat(): Promise<ChatRow> {
  const { memberId } = setup.workspace.member;
  const chat = await inside((tx) => insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId }));
  told = [];
  return chat;
}

const read = async (chatId: number): Promise<ChatRow> => {
  const chat = await inside((tx) => findChat(tx, chatId));
  if (chat === undefined) throw new Error('the chat is gone');
  return chat;
};

const say = (tx: Tx, chatId: number, content = 'words') =>
  insertMessage(tx, { chatId, role: 'user', content });

describe('the revision of a chat', () => {
  it('rises with each message and each change of one, which carry their revision', async () => {
    const { id } = await addChat();
    const first = await inside((tx) => say(tx, id));
    const second = await inside((tx) => say(tx, id));
    await inside((tx) => updateMessage(tx, first.id, { smsDeliveryStatus: 'sent' }));

    const chat = await read(id);
    const { changes } = await inside((tx) => listMessageChanges(tx, id, { after: 0, upTo: 9, limit: 9 }));

    expect([first, second].map(({ createdRevision, revision }) => [createdRevision, revision])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(chat).toMatchObject({ revision: 3, changedRevision: 0, messageCount: 2 });
    expect(changes.map(({ revision, isNew, message }) => [revision, isNew, message.id])).toEqual([
      [1, true, first.id],
      [2, true, second.id],
      [3, false, first.id],
    ]);
  });

  it('rises with tool traffic, which messageCount does not count', async () => {
    const { id } = await addChat();
    await inside(async (tx) => {
      await say(tx, id);
      await insertMessage(tx, { chatId: id, role: 'assistant', content: null, toolCalls: [] });
      await insertMessage(tx, { chatId: id, role: 'tool', content: 'result', toolCallId: 'call' });
      await insertMessage(tx, { chatId: id, role: 'system', content: 'note' });
    });

    expect(await read(id)).toMatchObject({ messageCount: 1, revision: 4 });
  });

  it.each([
    ['title', { title: 'New' }],
    ['archived', { archived: true }],
    ['paused', { paused: true }],
    ['needsResponse', { needsResponse: true }],
    ['summary', { summary: 'Short' }],
  ])('rises when %s changes, and not when the value stays the same', async (_name, change) => {
    const { id } = await addChat();

    await inside((tx) => updateChat(tx, id, change));
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    await inside((tx) => updateChat(tx, id, change));
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
  });

  it('does not rise with the bookkeeping of the agent', async () => {
    const { id } = await addChat();

    await inside((tx) => raiseChatVersion(tx, id));
    await inside((tx) => updateChat(tx, id, { handledVersion: 1, lastMessageReceivedAt: new Date() }));

    expect(await read(id)).toMatchObject({ revision: 0, changedRevision: 0 });
    expect(told).toEqual([]);
  });

  it('rises when a participant joins or leaves', async () => {
    const { id } = await addChat();
    const { memberId } = setup.workspace.admin;

    await inside((tx) => insertParticipants(tx, id, new Map([[memberId, 'contributor']])));
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    await inside((tx) => tx('chat_participants').where({ chat_id: id }).delete());
    expect(await read(id)).toMatchObject({ revision: 2, changedRevision: 2 });
  });

  it('rises once for all changes of a transaction, and again in the next transaction', async () => {
    const { id } = await addChat();
    const { admin, member } = setup.workspace;
    const join = (tx: Tx, memberId: number) =>
      insertParticipants(tx, id, new Map([[memberId, 'contributor']]));

    await inside(async (tx) => {
      await join(tx, admin.memberId);
      await join(tx, member.memberId);
    });
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });

    await inside((tx) => tx('chat_participants').where({ chat_id: id, member_id: admin.memberId }).delete());
    expect(await read(id)).toMatchObject({ revision: 2, changedRevision: 2 });
  });

  it('does not rise with rows that are stored together with a new chat, and rises with later ones', async () => {
    const { admin, member } = setup.workspace;
    const join = (tx: Tx, chatId: number, memberId: number) =>
      insertParticipants(tx, chatId, new Map([[memberId, 'contributor']]));
    told = [];

    const id = await inside(async (tx) => {
      const values = { channel: 'web-chat', chatType: 'simple', memberId: member.memberId } as const;
      const chat = await insertChat(tx, values);
      await raiseChatVersion(tx, chat.id);
      await join(tx, chat.id, member.memberId);
      return chat.id;
    });
    expect(await read(id)).toMatchObject({ revision: 0, changedRevision: 0 });
    expect(told).toEqual([]);

    await inside((tx) => join(tx, id, admin.memberId));
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    expect(told.flatMap(({ chatIds }) => chatIds)).toEqual([id]);
  });

  it('rises for a participant after a message of a new chat', async () => {
    const { memberId } = setup.workspace.member;
    const id = await inside(async (tx) => {
      const chat = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
      await say(tx, chat.id);
      await insertParticipants(tx, chat.id, new Map([[memberId, 'user']]));
      return chat.id;
    });

    expect(await read(id)).toMatchObject({ revision: 2, changedRevision: 2 });
  });

  it('rises for a change after a message of the same transaction, which has its own revision', async () => {
    const { id } = await addChat();
    const { memberId } = setup.workspace.admin;

    await inside(async (tx) => {
      await insertParticipants(tx, id, new Map([[memberId, 'contributor']]));
      await say(tx, id);
      await tx('chat_participants').where({ chat_id: id }).delete();
    });

    expect(await read(id)).toMatchObject({ revision: 3, changedRevision: 3 });
  });

  it('rises after a write of bookkeeping and after a savepoint that was rolled back', async () => {
    const { id } = await addChat();
    const { memberId } = setup.workspace.admin;
    const join = (tx: Tx) => insertParticipants(tx, id, new Map([[memberId, 'contributor']]));

    await inside(async (tx) => {
      await raiseChatVersion(tx, id);
      await withSavepoint(tx, async () => {
        await join(tx);
        throw new Error('undone');
      }).catch(() => undefined);
      await join(tx);
    });

    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    expect(told.flatMap(({ chatIds }) => chatIds)).toEqual([id]);
  });

  it('has no gap and no duplicate when fifty messages are written at once, in the order of the commits', async () => {
    const { id } = await addChat();
    const seen: number[] = [];
    const watch = async () => {
      const after = seen.at(-1) ?? 0;
      const { changes } = await inside((tx) =>
        listMessageChanges(tx, id, { after, upTo: 1_000, limit: 100 }),
      );
      seen.push(...changes.map(({ revision }) => revision));
    };

    let left = 50;
    const writing = Array.from({ length: left }, async (_, n) => {
      await inside((tx) => say(tx, id, `message ${n}`));
      left -= 1;
    });
    while (left > 0) await watch();
    await Promise.all(writing);
    await watch();

    // A reader that continues from the last revision that it has seen misses nothing.
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });

  it('does not rise in a transaction that is rolled back, which notifies no reader', async () => {
    const { id } = await addChat();

    await expect(
      inside(async (tx) => {
        await say(tx, id);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');

    expect(await read(id)).toMatchObject({ revision: 0, messageCount: 0 });
    expect(told).toEqual([]);
  });
});

describe('the end of a transaction', () => {
  it('reports each chat that the transaction changed once', async () => {
    const [one, other, untouched] = [await addChat(), await addChat(), await addChat()];

    await inside(async (tx) => {
      await say(tx, one.id);
      await say(tx, other.id);
      await say(tx, one.id);
      await lockChat(tx, untouched.id);
    });

    expect(told).toEqual([{ workspaceId: setup.workspace.workspaceId, chatIds: [one.id, other.id] }]);
  });

  it('reports nothing of an earlier transaction on the same connection', async () => {
    const chat = await addChat();
    const single = new Database({
      url: setup.database.appUrl,
      poolSize: 1,
      onChatsChanged: (_workspaceId, chatIds) => told.push({ workspaceId: 0, chatIds }),
    });
    await single.inWorkspace(setup.workspace.workspaceId, (tx) => say(tx, chat.id));
    await single.inWorkspace(setup.workspace.workspaceId, (tx) => findChat(tx, chat.id));
    await single.close();

    expect(told).toEqual([{ workspaceId: 0, chatIds: [chat.id] }]);
  });

  it('fails when a failed statement was ignored, and leaves the connection usable', async () => {
    const chat = await addChat();
    const single = new Database({ url: setup.database.appUrl, poolSize: 1 });
    const { workspaceId } = setup.workspace;

    await expect(
      single.inWorkspace(workspaceId, async (tx) => {
        await say(tx, chat.id);
        await tx.raw('select 1 / 0').catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: '25P02' });

    await single.inWorkspace(workspaceId, (tx) => say(tx, chat.id));
    await single.close();
    expect(await read(chat.id)).toMatchObject({ messageCount: 1 });
  });
});
