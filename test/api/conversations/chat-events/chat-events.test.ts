import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertPhoneCall, patchPhoneCall } from '../../../../db/calls/phone-calls.js';
import { insertMessage, patchMessage } from '../../../../db/conversations/messages.js';
import { createLivePublisher } from '../../../../db/live/live-publisher.js';
import type { Tx } from '../../../../db/tx.js';
import { admissionTerms } from '../../../../domain/kernel/admissions.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { callAs } from '../../../support/api/call-as.js';
import { openStream, type SeenEvent, type TestStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import {
  addApiKey,
  addMember,
  createWorkspace,
  type TestMember,
} from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
const open: TestStream[] = [];
const ownApis: LiveApi[] = [];
let api: LiveApi;
let otherApi: LiveApi;

beforeAll(async () => {
  // The slow poll finds changes without a notification; it must not help these tests.
  api = await startLiveApi(setup.database, { live: { hub: { checkEveryMs: 600_000 } } });
  otherApi = await startLiveApi(setup.database, { live: { hub: { checkEveryMs: 600_000 } } });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((stream) => stream.close()));
  await Promise.all(ownApis.splice(0).map((own) => own.close()));
});
afterAll(async () => {
  await api.close();
  await otherApi.close();
});

interface Chat {
  id: number;
  member: TestMember;
  write(text: string, through?: LiveApi): Promise<void>;
  change(body: object): Promise<void>;
  follow(options?: { lastEventId?: number | string; on?: LiveApi; apiKey?: string }): Promise<TestStream>;
}

async function addChat(existing?: Chat['member']): Promise<Chat> {
  const { workspace } = setup;
  const member = existing ?? (await addMember(workspace, { role: workspace.roles.member }));
  const asMember = (through = api) => callAs(through, workspace, member);
  const { id } = (await asMember()('POST', '/chats', { channel: 'web-chat' })).body;
  return {
    id,
    member,
    async write(content, through) {
      const sent = await asMember(through)('POST', `/chats/${id}/messages`, { content });
      expect(sent.status).toBe(201);
    },
    async change(body) {
      expect((await asMember()('PUT', `/chats/${id}`, body)).status).toBe(200);
    },
    async follow({ lastEventId, on = api, apiKey = member.apiKey } = {}) {
      const stream = await openStream(on.baseUrl, workspace.path(`/chats/${id}/events`), {
        apiKey,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
      open.push(stream);
      return stream;
    },
  };
}

/** An api of the test's own. */
async function startOwnApi(options: Parameters<typeof startLiveApi>[1] = {}): Promise<LiveApi> {
  const own = await startLiveApi(setup.database, options);
  ownApis.push(own);
  return own;
}

/** A new chat, and a stream that follows it. */
async function followNewChat(options: Parameters<Chat['follow']>[0] = {}) {
  const chat = await addChat();
  return { chat, stream: await chat.follow(options) };
}

/** A chat, a member that takes no part in it, and another workspace. */
async function withStrangers() {
  const { workspace, database } = setup;
  const stranger = await addMember(workspace, { role: workspace.roles.member });
  return { chat: await addChat(), workspace, stranger, other: await createWorkspace(database.database) };
}

const inside = <T>(work: (tx: Tx) => Promise<T>) =>
  api.database.inWorkspace(setup.workspace.workspaceId, work);
const snapshotOf = (stream: TestStream) => stream.seen('the chat', ({ event }) => event === 'chat.snapshot');
const says = (text: string) => (event: SeenEvent) => event.data.message?.content === text;
const kept = (events: SeenEvent[]) => events.filter(({ id }) => id !== undefined);
const contents = (events: SeenEvent[]) =>
  events.filter(({ event }) => event === 'message.created').map(({ data }) => data.message.content);

describe('the event stream of a chat', () => {
  it('starts with a snapshot of the chat and continues with its changes in order', async () => {
    const chat = await addChat();
    await chat.write('before');

    const stream = await chat.follow();
    const snapshot = await snapshotOf(stream);
    await chat.write('one');
    await chat.change({ title: 'Knees' });
    await chat.write('two');
    await stream.seen('the second message', says('two'));

    expect(stream.status).toBe(200);
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.retries).toHaveLength(1);
    expect(snapshot).toMatchObject({ data: { chat: { id: chat.id, messageCount: 1, title: null } } });
    expect(stream.events.map(({ event, id = 0 }) => [event, id - (snapshot.id ?? 0)])).toEqual([
      ['chat.snapshot', 0],
      ['message.created', 1],
      ['chat.updated', 2],
      ['message.created', 3],
    ]);
    expect(stream.events[1]?.data).toMatchObject({
      message: { role: 'user', content: 'one', memberId: chat.member.memberId },
    });
    expect(stream.events[2]?.data.chat.title).toBe('Knees');
  });

  it('joins the message list without a gap', async () => {
    const chat = await addChat();
    const writing = (async () => {
      for (let n = 0; n < 30; n += 1) await chat.write(`message ${n}`);
    })();

    const stream = await chat.follow();
    await snapshotOf(stream);
    const asMember = callAs(api, setup.workspace, chat.member);
    const list = await asMember('GET', `/chats/${chat.id}/messages`, undefined, { limit: 100 });
    await writing;
    await stream.seen('the last message', says('message 29'));

    const listed: string[] = list.body.map((message: { content: string }) => message.content);
    expect([...new Set([...listed.reverse(), ...contents(stream.events)])]).toEqual(
      Array.from({ length: 30 }, (_, n) => `message ${n}`),
    );
  });

  it('sends a message update with the whole message, for example its delivery status', async () => {
    const { chat, stream } = await followNewChat();
    const row = await inside((tx) =>
      insertMessage(tx, { chatId: chat.id, role: 'assistant', author: 'agent', content: 'sent by SMS' }),
    );
    await stream.seen('the message', says('sent by SMS'));
    await inside((tx) =>
      patchMessage(tx, row.id, { smsDeliveryStatus: 'delivered', smsDeliveryUpdatedAt: new Date() }),
    );

    const updated = await stream.seen('the receipt', ({ event }) => event === 'message.updated');
    expect(updated.data.message).toMatchObject({ id: row.uuid, smsDeliveryStatus: 'delivered' });
  });

  it('sends the states of a call of the chat, also to a reader that comes back, and who speaks in it', async () => {
    const { chat, stream } = await followNewChat();
    const { id: since = 0 } = await snapshotOf(stream);
    const { id: phoneNumberId } = await addPhoneNumber(setup.workspace, { voiceEnabled: true });
    const [createdAt, updatedAt] = [new Date(), new Date()];
    const call = await inside((tx) =>
      insertPhoneCall(tx, {
        ...{ chatId: chat.id, phoneNumberId, inbound: false, begunBy: 'api', createdAt, updatedAt },
        remoteNumber: '+12025550142',
      }),
    );
    const begun = await stream.seen('the call', ({ event }) => event === 'call.updated');
    expect(begun.data).toEqual({
      call: {
        id: call.id,
        status: 'pending',
        inbound: false,
        createdAt: createdAt.toISOString(),
        terminationReason: null,
      },
    });
    const speaks = { type: 'call.speaking', phoneCallId: call.id, speaker: 'agent', active: true } as const;
    const publisher = createLivePublisher(setup.database.appUrl);
    publisher.signal({ workspaceId: setup.workspace.workspaceId, chatId: chat.id }, speaks);
    const speaking = await stream.seen('who speaks', ({ event }) => event === 'call.speaking');
    await publisher.close();
    expect(speaking).toEqual({
      event: 'call.speaking',
      data: { phoneCallId: call.id, speaker: 'agent', active: true },
    });

    const ended = { status: 'no-answer', carrierStatus: 'no-answer', finishedAt: updatedAt } as const;
    await inside((tx) => patchPhoneCall(tx, call.id, { ...ended, updatedAt }));
    const isOver = ({ event, data }: SeenEvent) =>
      event === 'call.updated' && data.call.status === 'no-answer';
    await stream.seen('the end', isOver);
    const again = await chat.follow({ lastEventId: since });
    const seen = await again.seen('the end', isOver);
    expect(seen.data.call).toMatchObject({ carrierStatus: 'no-answer', finishedAt: updatedAt.toISOString() });
    expect(again.events).toHaveLength(1);
  });

  it('sends nothing of rolled-back transactions or of tool sub-conversations', async () => {
    const { chat, stream } = await followNewChat();

    const failing = inside(async (tx) => {
      await insertMessage(tx, { chatId: chat.id, role: 'assistant', author: 'agent', content: 'never said' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await inside((tx) =>
      insertMessage(tx, {
        chatId: chat.id,
        role: 'tool',
        author: 'system',
        content: 'inner',
        subConversationOf: 'call_1',
      }),
    );
    await chat.write('after');
    await stream.seen('what came after', says('after'));

    expect(contents(stream.events)).toEqual(['after']);
  });

  it('sends notes to operators and not to the member', async () => {
    const { chat, stream: own } = await followNewChat();
    const operators = await chat.follow({ apiKey: setup.workspace.admin.apiKey });
    await inside((tx) =>
      insertMessage(tx, { chatId: chat.id, role: 'system', author: 'system', content: 'handed over' }),
    );
    await chat.change({ title: 'New' });
    for (const stream of [own, operators]) {
      await stream.seen('the title', ({ event }) => event === 'chat.updated');
    }

    expect(contents(operators.events)).toEqual(['handed over']);
    expect(contents(own.events)).toEqual([]);
    const told = [own, operators].map(({ events }) => events.at(-1)?.data.chat.canSendAsAssistant);
    expect(told).toEqual([false, true]);
  });

  it('works for an archived chat and reports its reopening', async () => {
    const chat = await addChat();
    await chat.change({ archived: true });
    const stream = await chat.follow();
    const snapshot = await snapshotOf(stream);
    await chat.write('still there?');

    const updated = await stream.seen('that it is open', ({ event }) => event === 'chat.updated');
    expect(snapshot.data.chat.archived).toBe(true);
    expect(updated.data.chat.archived).toBe(false);
  });

  it('delivers messages written through another process', async () => {
    const { chat, stream: here } = await followNewChat();
    const there = await chat.follow({ on: otherApi });

    await chat.write('through one', api);
    await chat.write('through the other', otherApi);

    for (const stream of [here, there]) {
      await stream.seen('the second', says('through the other'));
      expect(contents(stream.events)).toEqual(['through one', 'through the other']);
    }
  });

  it('delivers fifty concurrent messages once and in one order in both processes', async () => {
    const chat = await addChat();
    const streams = [await chat.follow(), await chat.follow({ on: otherApi })];

    const texts = Array.from({ length: 50 }, (_, n) => `message ${n}`);
    await Promise.all(texts.map((text, n) => chat.write(text, n % 2 === 0 ? api : otherApi)));
    for (const stream of streams) {
      await waitFor('all are told', () => contents(stream.events).length >= 50);
      expect(contents(stream.events).sort()).toEqual([...texts].sort());
      const ids = kept(stream.events).map(({ id }) => id ?? 0);
      expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    }
    expect(contents(streams[0]?.events ?? [])).toEqual(contents(streams[1]?.events ?? []));
  });
});

describe('a reconnecting stream client', () => {
  it('misses nothing, wherever the connection was cut', async () => {
    const { chat, stream: whole } = await followNewChat();
    const rows: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      await chat.write(`message ${n}`);
      if (n % 4 === 1) await chat.change({ title: `Title ${n}` });
      await inside(async (tx) => {
        const row = await insertMessage(tx, {
          chatId: chat.id,
          role: 'assistant',
          author: 'agent',
          content: `answer ${n}`,
        });
        rows.push(row.id);
        const earlier = rows[Math.floor(n / 2)];
        if (earlier !== undefined) await patchMessage(tx, earlier, { userRating: n });
      });
    }
    await chat.change({ title: 'The end' });
    await whole.seen('the end', ({ data }) => data.chat?.title === 'The end');
    const all = kept(whole.events);
    const last = stateAfter(all);

    for (const cut of all.keys()) {
      const before = all.slice(0, cut + 1);
      const again = await chat.follow({ lastEventId: before.at(-1)?.id ?? 0 });
      await waitFor('it is up to date', () => (again.lastId() || (before.at(-1)?.id ?? 0)) >= whole.lastId());
      const after = kept(again.events);

      // The order is kept, no event repeats, and both parts together yield the same chat.
      expect(after.map(({ id }) => id)).toEqual(after.map(({ id }) => id).sort((a = 0, b = 0) => a - b));
      expect(contents([...before, ...after])).toEqual(contents(all));
      expect(stateAfter([...before, ...after])).toEqual(last);
      await again.close();
    }
  });

  it('receives in pages all messages from its absence, however many', async () => {
    const chat = await addChat();
    await inside(async (tx) => {
      const rows = [];
      for (let n = 0; n < 230; n += 1) {
        rows.push(
          await insertMessage(tx, {
            chatId: chat.id,
            role: 'user',
            author: 'member',
            content: `message ${n}`,
          }),
        );
      }
      for (const row of rows) await patchMessage(tx, row.id, { userRating: 1 });
    });

    const stream = await chat.follow({ lastEventId: 0 });
    await waitFor('all are told', () => stream.lastId() >= 460);

    expect(contents(stream.events)).toEqual(Array.from({ length: 230 }, (_, n) => `message ${n}`));
    expect(stream.events.filter(({ event }) => event === 'message.updated')).toHaveLength(230);
  });

  it.each([
    ['is none', 'yesterday'],
    ['this chat has not reached', 4_000_000_000],
  ])('starts again with a snapshot for an id that %s', async (_title, lastEventId) => {
    const { stream } = await followNewChat({ lastEventId });
    await snapshotOf(stream);
  });
});

describe('the event stream on failure', () => {
  it('loses nothing when its notification connection is cut', async () => {
    const { chat, stream } = await followNewChat();
    await chat.write('before');
    await stream.seen('the first', says('before'));

    await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'wes live listener' and datname = current_database()`);
    await chat.write('meanwhile');

    await stream.seen('what came meanwhile', says('meanwhile'));
    await chat.write('after');
    await stream.seen('the last', says('after'));
    expect(contents(stream.events)).toEqual(['before', 'meanwhile', 'after']);
  });

  it('finds by slow polling a change without a notification', async () => {
    const on = await startOwnApi({ live: { hub: { checkEveryMs: 50 } } });
    const { chat, stream } = await followNewChat({ on });
    await snapshotOf(stream);

    // Write through a database object that sends no notification.
    await setup.database.database.inWorkspace(setup.workspace.workspaceId, (tx) =>
      insertMessage(tx, { chatId: chat.id, role: 'user', author: 'member', content: 'silently' }),
    );

    await stream.seen('the message', says('silently'));
  });
});

describe('access to the event stream', () => {
  it('requires read access to the chat and returns 404 for unknown chats', async () => {
    const { chat, workspace, stranger, other } = await withStrangers();
    const { database } = setup.database;
    const path = `/chats/${chat.id}/events`;
    const unscoped = await addApiKey(database, chat.member.accountId, {
      scopes: allScopes.filter((scope) => scope !== 'chats:read'),
    });

    const answers = [
      await api.request('GET', workspace.path(path)),
      await callAs(api, workspace, { apiKey: unscoped })('GET', path),
      await callAs(api, workspace, stranger)('GET', path),
      await callAs(api, workspace, other.admin)('GET', path),
      await callAs(api, other, other.admin)('GET', path),
      await callAs(api, workspace, workspace.admin)('GET', '/chats/999999/events'),
    ];

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'unauthenticated'],
      [403, 'insufficient_scope'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect((await chat.follow({ apiKey: workspace.admin.apiKey })).status).toBe(200);
  });

  it('is checked repeatedly, so a revoked key ends its stream and no other', async () => {
    const strict = await startOwnApi({ eventStreams: { heartbeatMs: 30, heartbeatsPerCheck: 2 } });
    const chat = await addChat();
    const revoked = await addApiKey(setup.database.database, chat.member.accountId, {});
    const goes = await chat.follow({ on: strict, apiKey: revoked });
    const stays = await chat.follow({ on: strict });
    await waitFor('checks were passed', () => goes.comments >= 6);

    await asSuperuser(
      `update identity.api_keys set revoked_at = now() where id = (select max(id) from identity.api_keys)`,
    );

    await goes.ended;
    await chat.write('in private', strict);
    await stays.seen('the message', says('in private'));
    expect(contents(goes.events)).toEqual([]);
    expect(goes.retries).toHaveLength(2);
  });

  it('is first checked after a random part of the interval, so that streams opened together are checked apart', async () => {
    const own = await startOwnApi({ eventStreams: { heartbeatMs: 3_600_000 } });
    const chat = await addChat();
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.000_01);
    const stream = await chat.follow({ on: own });
    random.mockRestore();

    await waitFor('its connection is kept alive', () => stream.comments === 1);
  });

  it('is limited in streams per member and chat, which does not limit its other chats or other members', async () => {
    const small = await startOwnApi({
      live: { followers: { ...admissionTerms.followers, each: { member: 200, memberInChat: 2 } } },
    });
    const chat = await addChat();
    const other = await addChat(chat.member);
    const admin = setup.workspace.admin.apiKey;
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await chat.follow({ on: small })).status);
    statuses.push((await other.follow({ on: small })).status);
    statuses.push((await chat.follow({ on: small, apiKey: admin })).status);

    expect(statuses).toEqual([200, 200, 503, 200, 200]);
  });

  it('is limited in streams per member and per process', async () => {
    const small = await startOwnApi({
      live: { followers: { ...admissionTerms.followers, slots: 3, each: { member: 2, memberInChat: 20 } } },
    });
    const [mine, theirs] = [await addChat(), await addChat()];
    const [first] = [await mine.follow({ on: small }), await mine.follow({ on: small })];

    const third = await mine.follow({ on: small });
    await theirs.follow({ on: small });
    const beyond = await theirs.follow({ on: small });
    await first?.close();
    const inItsPlace = await waitFor('there is room again', async () => {
      const stream = await theirs.follow({ on: small });
      return stream.status === 200 && stream;
    });

    expect([third.status, beyond.status, inItsPlace.status]).toEqual([503, 503, 200]);
    expect(third.headers.get('Retry-After')).toBe('10');
  });
});

describe('a stopping process', () => {
  it('ends its streams at once with a retry time and rejects new ones', async () => {
    const stopping = await startOwnApi();
    const { chat, stream } = await followNewChat({ on: stopping });
    await snapshotOf(stream);

    await stopping.endStreams();
    await stream.ended;

    expect(stream.retries).toHaveLength(2);
    for (const retry of stream.retries) expect(retry).toBeGreaterThanOrEqual(1_000);
    expect((await chat.follow({ on: stopping })).status).toBe(503);
  });
});

describe('typing notices', () => {
  const type = (chat: Chat, apiKey = chat.member.apiKey) =>
    api.request('POST', setup.workspace.path(`/chats/${chat.id}/typing`), { apiKey });

  it('reach all followers in every process, at most every two seconds', async () => {
    const { chat, stream } = await followNewChat({ on: otherApi });
    await snapshotOf(stream);

    for (let n = 0; n < 5; n += 1) expect((await type(chat)).status).toBe(204);
    expect((await type(chat, setup.workspace.admin.apiKey)).status).toBe(204);
    await chat.write('done');
    await stream.seen('the message', says('done'));

    const { memberId } = setup.workspace.admin;
    const notice = { isAgent: false, active: true };
    expect(stream.events.filter(({ event }) => event === 'typing')).toEqual([
      { event: 'typing', data: { memberId: chat.member.memberId, role: 'user', ...notice } },
      { event: 'typing', data: { memberId, role: 'assistant', ...notice } },
    ]);
  });

  it('require write access to the chat', async () => {
    const { chat, workspace, stranger, other } = await withStrangers();
    const path = `/chats/${chat.id}/typing`;

    const answers = [
      await api.request('POST', workspace.path(path)),
      await type(chat, stranger.apiKey),
      await api.request('POST', other.path(path), { apiKey: other.admin.apiKey }),
      await api.request('POST', workspace.path('/chats/no/typing'), { apiKey: workspace.admin.apiKey }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 400]);
  });
});

/** The state of a client that has applied these events: the messages by id, and the title of the chat. */
function stateAfter(events: SeenEvent[]): { messages: Map<string, unknown>; title: unknown } {
  const messages = new Map<string, unknown>();
  let title: unknown;
  for (const { data } of events) {
    if (data.message !== undefined) messages.set(data.message.id, data.message);
    if (data.chat !== undefined) title = data.chat.title;
  }
  return { messages, title };
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: setup.database.superuserUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
