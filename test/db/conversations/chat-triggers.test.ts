import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectCallChanges } from '../../../db/calls/calls-of-chat.js';
import { insertPhoneCall, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import { selectMessageChanges } from '../../../db/conversations/chat-changes.js';
import { insertParticipants } from '../../../db/conversations/chat-details.js';
import {
  type ChatRow,
  findChat,
  insertChat,
  lockChat,
  patchChat,
  raiseChatVersion,
} from '../../../db/conversations/chats.js';
import { insertMessage, patchMessage } from '../../../db/conversations/messages.js';
import { Database } from '../../../db/database.js';
import { withSavepoint } from '../../../db/savepoint.js';
import type { Tx } from '../../../db/tx.js';
import { agentIsDue } from '../../../domain/kernel/agent-due.js';
import { alertColleague } from '../../../domain/kernel/alert-colleague.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const setup = useWorkspace();
let database: Database;
let superuser: pg.Client;
let told: { workspaceId: number; chatIds: number[] }[] = [];

beforeAll(async () => {
  database = new Database({
    url: setup.database.appUrl,
    onChatsChanged: (workspaceId, chatIds) => told.push({ workspaceId, chatIds }),
  });
  superuser = new pg.Client({ connectionString: setup.database.superuserUrl });
  await superuser.connect();
});
afterAll(() => Promise.all([database.close(), superuser.end()]));

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.inWorkspace(setup.workspace.workspaceId, work);

const insert = (tx: Tx, values: Partial<ChatRow> = {}) => {
  const { memberId } = setup.workspace.member;
  return insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId, ...values });
};
/** Adds a chat, and then clears the notifications that were recorded. @returns its id */
async function addChat(): Promise<number> {
  const { id } = await inside((tx) => insert(tx));
  told = [];
  return id;
}

async function read(chatId: number): Promise<ChatRow> {
  const chat = await inside((tx) => findChat(tx, chatId));
  if (chat === undefined) throw new Error('the chat is gone');
  return chat;
}
const change = (chatId: number, changes: Partial<ChatRow>) => inside((tx) => patchChat(tx, chatId, changes));
const raise = (chatId: number) => inside((tx) => raiseChatVersion(tx, chatId));
const say = (tx: Tx, chatId: number, content = 'words') =>
  insertMessage(tx, { chatId, role: 'user', author: 'member', content });
const join = (tx: Tx, chatId: number, memberId = setup.workspace.admin.memberId) =>
  insertParticipants(tx, chatId, new Map([[memberId, 'contributor']]));

describe('the revision of a chat', () => {
  it('rises with each message and each change of one, which carry their revision', async () => {
    const id = await addChat();
    const first = await inside((tx) => say(tx, id));
    const second = await inside((tx) => say(tx, id));
    await inside((tx) => patchMessage(tx, first.id, { smsDeliveryStatus: 'sent' }));

    const chat = await read(id);
    const { changes } = await inside((tx) => selectMessageChanges(tx, id, { after: 0, upTo: 9, limit: 9 }));

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
    const id = await addChat();
    await inside(async (tx) => {
      await say(tx, id);
      await insertMessage(tx, {
        chatId: id,
        role: 'assistant',
        author: 'agent',
        content: null,
        toolCalls: [],
      });
      await insertMessage(tx, {
        chatId: id,
        role: 'tool',
        author: 'system',
        content: 'result',
        toolCallId: 'call',
      });
      await insertMessage(tx, { chatId: id, role: 'system', author: 'system', content: 'note' });
    });

    expect(await read(id)).toMatchObject({ messageCount: 1, revision: 4 });
  });

  it.each([
    ['title', { title: 'New' }],
    ['archived', { archived: true }],
    ['paused', { paused: true }],
    ['needsResponse', { needsResponse: true }],
    ['summary', { summary: 'Short' }],
  ])('rises when %s changes, and not when the value stays the same', async (_name, changes) => {
    const id = await addChat();

    for (let times = 0; times < 2; times += 1) {
      await change(id, changes);
      expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    }
  });

  it('does not rise with the bookkeeping of the agent', async () => {
    const id = await addChat();

    await raise(id);
    await change(id, { handledVersion: 1, lastMessageReceivedAt: new Date() });

    expect(await read(id)).toMatchObject({ revision: 0, changedRevision: 0 });
    expect(told).toEqual([]);
  });

  it('rises when a participant joins or leaves', async () => {
    const id = await addChat();

    await inside((tx) => join(tx, id));
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    await inside((tx) => tx('chat_participants').where({ chat_id: id }).delete());
    expect(await read(id)).toMatchObject({ revision: 2, changedRevision: 2 });
  });

  it('rises once for all changes of a transaction, and again in the next transaction', async () => {
    const id = await addChat();
    const { admin, member } = setup.workspace;

    await inside(async (tx) => {
      await join(tx, id, admin.memberId);
      await join(tx, id, member.memberId);
    });
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });

    await inside((tx) => tx('chat_participants').where({ chat_id: id, member_id: admin.memberId }).delete());
    expect(await read(id)).toMatchObject({ revision: 2, changedRevision: 2 });
  });

  it('does not rise with rows that are stored together with a new chat, and rises with later ones', async () => {
    told = [];

    const id = await inside(async (tx) => {
      const chat = await insert(tx);
      await raiseChatVersion(tx, chat.id);
      await join(tx, chat.id, chat.memberId);
      return chat.id;
    });
    expect(await read(id)).toMatchObject({ revision: 0, changedRevision: 0 });
    expect(told.flatMap(({ chatIds }) => chatIds)).toEqual([id]);

    await inside((tx) => join(tx, id));
    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    expect(told.flatMap(({ chatIds }) => chatIds)).toEqual([id, id]);
  });

  it('rises for a participant after a message of a new chat', async () => {
    const id = await inside(async (tx) => {
      const chat = await insert(tx);
      await say(tx, chat.id);
      await join(tx, chat.id, chat.memberId);
      return chat.id;
    });

    expect(await read(id)).toMatchObject({ revision: 2, changedRevision: 2 });
  });

  it('rises for a change after a message of the same transaction, which has its own revision', async () => {
    const id = await addChat();

    await inside(async (tx) => {
      await join(tx, id);
      await say(tx, id);
      await tx('chat_participants').where({ chat_id: id }).delete();
    });

    expect(await read(id)).toMatchObject({ revision: 3, changedRevision: 3 });
  });

  it('rises after a write of bookkeeping and after a savepoint that was rolled back', async () => {
    const id = await addChat();

    await inside(async (tx) => {
      await raiseChatVersion(tx, id);
      await withSavepoint(tx, async () => {
        await join(tx, id);
        throw new Error('undone');
      }).catch(() => undefined);
      await join(tx, id);
    });

    expect(await read(id)).toMatchObject({ revision: 1, changedRevision: 1 });
    expect(told.flatMap(({ chatIds }) => chatIds)).toEqual([id]);
  });

  it('has no gap and no duplicate when fifty messages are written at once, in the order of the commits', async () => {
    const id = await addChat();
    const seen: number[] = [];
    const watch = async () => {
      const after = seen.at(-1) ?? 0;
      const part = { after, upTo: 1_000, limit: 100 };
      const { changes } = await inside((tx) => selectMessageChanges(tx, id, part));
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
    const id = await addChat();

    const failing = inside(async (tx) => {
      await say(tx, id);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');

    expect(await read(id)).toMatchObject({ revision: 0, messageCount: 0 });
    expect(told).toEqual([]);
  });
});

describe('the end of a transaction', () => {
  it('reports each chat that the transaction changed once', async () => {
    const [one, other, untouched] = [await addChat(), await addChat(), await addChat()];

    await inside(async (tx) => {
      for (const id of [one, other, one]) await say(tx, id);
      await lockChat(tx, untouched);
    });

    expect(told).toEqual([{ workspaceId: setup.workspace.workspaceId, chatIds: [one, other] }]);
  });

  it('reports nothing of an earlier transaction on the same connection', async () => {
    const id = await addChat();
    const single = new Database({
      url: setup.database.appUrl,
      poolSize: 1,
      onChatsChanged: (_workspaceId, chatIds) => told.push({ workspaceId: 0, chatIds }),
    });
    await single.inWorkspace(setup.workspace.workspaceId, (tx) => say(tx, id));
    await single.inWorkspace(setup.workspace.workspaceId, (tx) => findChat(tx, id));
    await single.close();

    expect(told).toEqual([{ workspaceId: 0, chatIds: [id] }]);
  });

  it('fails when a failed statement was ignored, and leaves the connection usable', async () => {
    const id = await addChat();
    const single = new Database({ url: setup.database.appUrl, poolSize: 1 });
    const { workspaceId } = setup.workspace;

    const failing = single.inWorkspace(workspaceId, async (tx) => {
      await say(tx, id);
      await tx.raw('select 1 / 0').catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ code: '25P02' });

    await single.inWorkspace(workspaceId, (tx) => say(tx, id));
    await single.close();
    expect(await read(id)).toMatchObject({ messageCount: 1 });
  });
});

const long = new Date('2026-01-01T00:00:00Z');
const owedForLong = (chatId: number) =>
  superuser.query('update chats set turn_owed_since = $1 where id = $2', [long, chatId]);

/** Every combination of these values. */
const flags = [
  { version: [0, 1] },
  { assistantEnabled: [true, false] },
  { paused: [true, false] },
  { archived: [true, false] },
  { agentStoppedReason: [null, 'turn_budget'] },
  { needsResponseReason: [null, 'step_failed', 'member_disabled'] },
].reduce<Partial<ChatRow>[]>(
  (combinations, flag) => {
    const [[name, values]] = Object.entries(flag) as [[string, readonly unknown[]]];
    return combinations.flatMap((rest) => values.map((value) => ({ ...rest, [name]: value })));
  },
  [{}],
);

describe('the revision of a call', () => {
  it('is that of its chat when its state was changed, and no change of the chat itself', async () => {
    const chatId = await addChat();
    const { id: phoneNumberId } = await addPhoneNumber(setup.workspace);
    const at = { createdAt: new Date(), updatedAt: new Date() };
    const begins = { phoneNumberId, inbound: false, begunBy: 'api', remoteNumber: null } as const;
    const call = await inside((tx) => insertPhoneCall(tx, { ...begins, ...at, chatId }));
    const begun = await read(chatId);
    expect(begun).toMatchObject({ revision: 1, callRevision: 1, changedRevision: 0 });
    expect(told).toMatchObject([{ chatIds: [chatId] }]);
    const patch = (changes: object) =>
      inside((tx) => patchPhoneCall(tx, call.id, { ...changes, updatedAt: new Date() }));

    expect(await patch({ askedAt: new Date(), attempts: 1 })).toMatchObject({ revision: 1 });
    expect(await patch({ status: 'ringing' })).toMatchObject({ revision: 2 });
    const ended = { status: 'completed', terminationReason: 'completed', finishedAt: new Date() };
    expect(await patch(ended)).toMatchObject({ revision: 3 });

    expect(await read(chatId)).toMatchObject({ revision: 3, callRevision: 3, changedRevision: 0 });
    const changes = await inside((tx) => selectCallChanges(tx, chatId, { after: 1, upTo: 3, limit: 9 }));
    expect(changes).toMatchObject([{ id: call.id, revision: 3, status: 'completed' }]);
  });
});

describe('turn_owed_since of a chat', () => {
  const ways: [string, (chatId: number, combination: Partial<ChatRow>) => Promise<ChatRow>][] = [
    ['an update', change],
    ['an insert', (_, combination) => inside((tx) => insert(tx, combination))],
  ];
  it.each(ways)(
    'is set by %s exactly when the domain says that a turn is due, except for a disabled member',
    async (_way, store) => {
      const chatId = await addChat();
      for (const combination of flags) {
        const chat = await store(chatId, combination);
        const isOwed = agentIsDue(chat) && chat.needsResponseReason !== 'member_disabled';
        expect([combination, chat.turnOwedSince !== null]).toEqual([combination, isOwed]);
      }
    },
  );

  it('keeps its first time while messages arrive, and is cleared by the answer', async () => {
    const chatId = await addChat();
    expect((await read(chatId)).turnOwedSince).toBeNull();
    const before = Date.now();
    const { turnOwedSince } = await raise(chatId);
    expect(Math.abs((turnOwedSince?.getTime() ?? 0) - before)).toBeLessThan(10_000);

    await owedForLong(chatId);
    const { version } = await raise(chatId);
    expect((await read(chatId)).turnOwedSince).toEqual(long);

    await change(chatId, { handledVersion: version });
    expect((await read(chatId)).turnOwedSince).toBeNull();
  });

  it('starts again when only a part was answered', async () => {
    const chatId = await addChat();
    const asked = await raise(chatId);
    await raise(chatId);
    await owedForLong(chatId);

    const { turnOwedSince } = await change(chatId, { handledVersion: asked.version });

    expect(turnOwedSince?.getTime()).toBeGreaterThan(long.getTime());
  });

  it('stays while a colleague is alerted for another reason', async () => {
    const chatId = await addChat();
    await raise(chatId);
    await owedForLong(chatId);

    await inside((tx) => alertColleague(tx, { id: chatId }, 'model_unavailable'));

    expect((await read(chatId)).turnOwedSince).toEqual(long);
  });

  it('does not raise the revision of the chat', async () => {
    const chatId = await addChat();
    const { revision } = await read(chatId);

    await raise(chatId);
    const owed = await read(chatId);
    await change(chatId, { handledVersion: owed.version });

    expect(owed.turnOwedSince).not.toBeNull();
    expect((await read(chatId)).revision).toBe(revision);
  });
});
