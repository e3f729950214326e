import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { insertPhoneCall, patchPhoneCall } from '../../../../db/calls/phone-calls.js';
import { insertParticipants } from '../../../../db/conversations/chat-details.js';
import { insertChat, patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { ChatRow } from '../../../../db/conversations/models/chat.js';
import type { Tx } from '../../../../db/tx.js';
import { admissionTerms } from '../../../../domain/kernel/admissions.js';
import { alertColleague } from '../../../../domain/kernel/alert-colleague.js';
import { openStream, type SeenEvent, type TestStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { connect, queryOnce } from '../../../support/db/connect.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
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

interface FollowOptions {
  lastEventId?: number | string;
  on?: LiveApi;
  apiKey?: string;
  workspace?: TestWorkspace;
}

async function follow({ on = api, lastEventId, ...options }: FollowOptions = {}) {
  const { workspace = setup.workspace, apiKey = workspace.admin.apiKey } = options;
  const stream = await openStream(on.baseUrl, workspace.path('/events/stream'), {
    apiKey,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
  open.push(stream);
  return stream;
}

/** A stream that tells of everything from now on. */
async function followFromNow(options: FollowOptions = {}): Promise<TestStream> {
  const stream = await follow(options);
  await stream.seen('that it begins', ({ event }) => event === 'workspace.snapshot');
  stream.events.length = 0;
  return stream;
}

async function startOwnApi(options: Parameters<typeof startLiveApi>[1] = {}): Promise<LiveApi> {
  const own = await startLiveApi(setup.database, options);
  ownApis.push(own);
  return own;
}

const inside = <T>(work: (tx: Tx) => Promise<T>, { workspaceId }: TestWorkspace = setup.workspace) =>
  api.database.inWorkspace(workspaceId, work);

async function addChat(values: Partial<ChatRow> = {}, workspace = setup.workspace): Promise<number> {
  const { memberId } = workspace.member;
  const chat = await inside(
    (tx) => insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId, ...values }),
    workspace,
  );
  return chat.id;
}

const say = (chatId: number, through = api) =>
  through.database.inWorkspace(setup.workspace.workspaceId, (tx) =>
    insertMessage(tx, { chatId, role: 'user', author: 'member', content: 'secret words' }),
  );
const tellsOf =
  (chatId: number) =>
  ({ event, data }: SeenEvent) =>
    event === 'chat.changed' && data.chatId === chatId;
const chatsIn = ({ events }: TestStream) =>
  events.filter(({ event }) => event === 'chat.changed').map(({ data }) => data.chatId);

/** Resolves once the stream has told of all that was committed before. */
async function isUpToDate(stream: TestStream, through = api): Promise<void> {
  const last = await addChat({ memberId: setup.workspace.member.memberId });
  await say(last, through);
  await stream.seen('the last chat', tellsOf(last));
  stream.events.splice(stream.events.findIndex(tellsOf(last)), 1);
}

describe('the event stream of a workspace', () => {
  it('begins with a snapshot, and names chats that are new or have changed', async () => {
    const stream = await follow();
    const first = await stream.seen('that it begins', () => true);
    const chatId = await addChat();
    const created = await stream.seen('the new chat', tellsOf(chatId));
    stream.events.length = 0;
    await say(chatId);
    const changed = await stream.seen('the message', tellsOf(chatId));

    expect(stream.status).toBe(200);
    expect(first).toEqual({ event: 'workspace.snapshot', id: expect.any(Number), data: {} });
    expect(created.data).toEqual({ chatId, needsResponse: false });
    expect(changed).toEqual({
      event: 'chat.changed',
      id: expect.any(Number),
      data: { chatId, needsResponse: false },
    });
  });

  it('says that the queue has changed when a chat begins to wait, is claimed, and waits no more, not for its messages', async () => {
    const chatId = await addChat();
    const stream = await followFromNow();
    await isUpToDate(stream);
    stream.events.length = 0;
    const { memberId } = setup.workspace.admin;
    const steps: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => alertColleague(tx, { id: chatId }, 'handoff'),
      (tx) => insertMessage(tx, { chatId, role: 'user', author: 'member', content: 'hello?' }),
      (tx) => patchChat(tx, chatId, { claimedByMemberId: memberId, claimedUntil: new Date('2040-01-01') }),
      (tx) => patchChat(tx, chatId, { needsResponse: false }),
    ];
    const told: [string, boolean?][][] = [];
    for (const step of steps) {
      await inside(step);
      await stream.seen('the change', ({ id }) => id !== undefined);
      told.push(stream.events.splice(0).map(({ event, data }) => [event, data.needsResponse]));
    }

    expect(told).toEqual([
      [
        ['chat.changed', true],
        ['queue.changed', undefined],
      ],
      [['chat.changed', true]],
      [
        ['chat.changed', true],
        ['queue.changed', undefined],
      ],
      [
        ['chat.changed', false],
        ['queue.changed', undefined],
      ],
    ]);
  });

  it('names calls with their state', async () => {
    const chatId = await addChat();
    const stream = await followFromNow();
    const { id: phoneNumberId } = await addPhoneNumber(setup.workspace, { voiceEnabled: true });
    const now = new Date();
    const { id: phoneCallId } = await inside((tx) =>
      insertPhoneCall(tx, {
        ...{ chatId, phoneNumberId, inbound: false, begunBy: 'api', createdAt: now, updatedAt: now },
        remoteNumber: '+12025550142',
      }),
    );
    const begun = await stream.seen('the call', ({ event }) => event === 'call.changed');
    stream.events.length = 0;
    await inside((tx) =>
      patchPhoneCall(tx, phoneCallId, { status: 'no-answer', finishedAt: now, updatedAt: now }),
    );
    const ended = await stream.seen('its end', ({ event }) => event === 'call.changed');

    expect(begun.data).toEqual({ phoneCallId, chatId, status: 'pending' });
    expect(ended.data).toEqual({ phoneCallId, chatId, status: 'no-answer' });
  });

  it('tells of a burst of changes of a chat as one, by one statement for all readers', async () => {
    const chatId = await addChat();
    const streams = await Promise.all([followFromNow(), followFromNow(), followFromNow()]);
    const began = performance.now();
    const asked = await statementsOf(async () => {
      for (let n = 0; n < 100; n += 1) await say(chatId);
      for (const stream of streams) await isUpToDate(stream);
    });
    const most = 2 + (performance.now() - began) / 500;

    expect(asked.filter((text) => text.includes('pg_current_snapshot')).length).toBeLessThanOrEqual(most);
    for (const stream of streams) {
      const told = chatsIn(stream).filter((id) => id === chatId);
      expect(told.length).toBeGreaterThan(0);
      expect(told.length).toBeLessThanOrEqual(most);
    }
  });

  it('reads nothing of a workspace that nobody follows', async () => {
    const chatId = await addChat();
    const other = await createWorkspace(setup.database.database);
    const otherChat = await addChat({}, other);
    const warm = await followFromNow();
    await isUpToDate(warm);
    await warm.close();
    const asked = await statementsOf(async () => {
      for (let n = 0; n < 5; n += 1) await say(chatId);
      const stream = await followFromNow({ workspace: other });
      await inside((tx) => patchChat(tx, otherChat, { title: 'new' }), other);
      await stream.seen('the only change', tellsOf(otherChat));
    });

    // Where the stream begins, and what changed.
    expect(asked.filter((text) => text.includes('pg_current_snapshot'))).toHaveLength(2);
  });

  it('tells in each process of what happened through any', async () => {
    const chatId = await addChat();
    const here = await followFromNow();
    const there = await followFromNow({ on: otherApi });
    await say(chatId, otherApi);
    await say(await addChat(), api);

    for (const stream of [here, there]) await stream.seen('the chat', tellsOf(chatId));
  });

  it('finds by slow polling a change without a notification', async () => {
    const on = await startOwnApi({ live: { hub: { checkEveryMs: 50 } } });
    const chatId = await addChat();
    const stream = await followFromNow({ on });
    // This database object sends no notification.
    await setup.database.database.inWorkspace(setup.workspace.workspaceId, (tx) =>
      patchChat(tx, chatId, { title: 'silently' }),
    );

    await stream.seen('the chat', tellsOf(chatId));
  });

  it('has its readers list anew when it listens again: the database may be another', async () => {
    const on = await startOwnApi();
    const stream = await followFromNow({ on });
    await queryOnce(
      setup.database.superuserUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'wes live listener' and datname = current_database()`,
      [],
    );

    await stream.seen('that it begins anew', ({ event }) => event === 'workspace.snapshot');
    const chatId = await addChat();
    await stream.seen('a later change', tellsOf(chatId));
  });

  it('ends with its process', async () => {
    const stopping = await startOwnApi();
    const stream = await followFromNow({ on: stopping });
    await stopping.endStreams();
    await stream.ended;

    expect(stream.retries).toHaveLength(2);
    expect((await follow({ on: stopping })).status).toBe(503);
  });
});

describe('a client that comes back to the event stream of a workspace', () => {
  it('is told of what has changed meanwhile', async () => {
    const [before, during] = [await addChat(), await addChat()];
    const first = await followFromNow();
    await say(before);
    await first.seen('the change', tellsOf(before));
    const lastEventId = first.lastId();
    await first.close();
    await say(during);

    const again = await follow({ lastEventId, on: otherApi });
    await again.seen('what came meanwhile', tellsOf(during));
    await isUpToDate(again, otherApi);
    expect(again.events.map(({ event }) => event)).not.toContain('workspace.snapshot');
  });

  it('is told of a change whose transaction was under way when others were told, and is committed later', async () => {
    const [late, soon] = [await addChat(), await addChat()];
    const stream = await followFromNow();
    const writer = await connect(setup.database.superuserUrl);
    await writer.query('begin');
    await writer.query(`update chats set title = 'late' where id = $1`, [late]);
    await say(soon);
    await stream.seen('what was committed first', tellsOf(soon));
    const lastEventId = stream.lastId();
    await writer.query('commit');
    await writer.end();

    const again = await follow({ lastEventId });
    await again.seen('the late change', tellsOf(late));
    await say(soon);
    await stream.seen('the late change', tellsOf(late));
  });

  it('is told to list anew where more has changed than is told', async () => {
    const workspace = await createWorkspace(setup.database.database);
    const stream = await follow({ workspace });
    const { id: lastEventId = 0 } = await stream.seen('that it begins', () => true);
    await queryOnce(
      setup.database.superuserUrl,
      `insert into chats (workspace_id, channel, chat_type, member_id)
       select $1, 'web-chat', 'simple', $2 from generate_series(1, 1001)`,
      [workspace.workspaceId, workspace.member.memberId],
    );

    const again = await follow({ workspace, lastEventId });
    const first = await again.seen('something', () => true);
    expect(first.event).toBe('workspace.snapshot');
  });

  it.each([
    ['is none', 'yesterday'],
    ['this database has not reached', 900_000_000_000_000],
  ])('is told to list anew for an id that %s', async (_title, lastEventId) => {
    await followFromNow({ lastEventId });
  });
});

describe('access to the event stream of a workspace', () => {
  it('requires the scope, and names no chat of another workspace', async () => {
    const { workspace } = setup;
    const other = await createWorkspace(setup.database.database);
    const stream = await followFromNow();
    const theirs = await addChat({}, other);
    await inside((tx) => alertColleague(tx, { id: theirs }, 'handoff'), other);
    await isUpToDate(stream);
    const unscoped = await addMember(workspace, { permissions: ['chats:read'], scopes: ['members:read'] });
    const statuses = [];
    for (const apiKey of [unscoped.apiKey, other.admin.apiKey, 'none']) {
      statuses.push((await follow({ apiKey })).status);
    }

    const ofTheirs = ({ event, data }: SeenEvent) => event === 'queue.changed' || data.chatId === theirs;
    expect(stream.events.filter(ofTheirs)).toEqual([]);
    expect(statuses).toEqual([403, 404, 401]);
  });

  it('without chats:read names only chats that the caller is in', async () => {
    const { workspace } = setup;
    const reader = await addMember(workspace, { role: workspace.roles.member });
    const { memberId, apiKey } = reader;
    const [foreign, own, created, joined] = [
      await addChat(),
      await addChat({ memberId }),
      await addChat({ createdByMemberId: memberId }),
      await addChat(),
    ];
    const stream = await followFromNow({ apiKey });
    const { id: since = 0 } = await (await follow({ apiKey })).seen('where it is', () => true);
    await inside((tx) => insertParticipants(tx, joined, new Map([[memberId, 'user']])));
    await inside((tx) => alertColleague(tx, { id: foreign }, 'handoff'));
    await inside((tx) => alertColleague(tx, { id: own }, 'handoff'));
    for (const chatId of [own, created]) await say(chatId);
    await stream.seen('the last', tellsOf(created));
    const again = await follow({ apiKey, lastEventId: since });
    await again.seen('the last', tellsOf(created));

    for (const { events } of [stream, again]) {
      expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['chat.changed']));
      expect(new Set(events.map(({ data }) => data.chatId))).toEqual(new Set([own, created, joined]));
    }
  });

  it('ends the stream of a role that has lost chats:read, and of nobody else', async () => {
    const strict = await startOwnApi({ eventStreams: { heartbeatMs: 30, heartbeatsPerCheck: 2 } });
    const reader = await addMember(setup.workspace, { permissions: ['chats:read'] });
    const goes = await followFromNow({ on: strict, apiKey: reader.apiKey });
    const stays = await followFromNow({ on: strict });
    await waitFor('checks were passed', () => goes.comments >= 6);
    await inside((tx) => tx('member_roles').where({ id: reader.role.id }).update({ permissions: '{}' }));

    await goes.ended;
    await isUpToDate(stays, strict);
    expect(goes.retries).toHaveLength(2);
  });

  it('is limited in streams per member', async () => {
    const small = await startOwnApi({
      live: { followers: { ...admissionTerms.followers, each: { member: 200, memberInChat: 2 } } },
    });
    const reader = await addMember(setup.workspace, { permissions: ['chats:read'] });
    const statuses = [];
    for (const apiKey of [reader.apiKey, reader.apiKey, reader.apiKey, setup.workspace.admin.apiKey]) {
      statuses.push((await follow({ on: small, apiKey })).status);
    }

    expect(statuses).toEqual([200, 200, 503, 200]);
  });
});
