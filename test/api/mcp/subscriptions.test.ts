import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Notices } from '../../../api/mcp/subscriptions/notices.js';
import { maxSubscribed } from '../../../api/mcp/subscriptions/wanted.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { systemClock } from '../../../domain/lib/clock.js';
import type { TestStream } from '../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../support/api/live-api.js';
import { openListen, sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import type { TestOAuthClient } from '../../support/api/oauth-client.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addAssignment, addMember, addRole, type TestMember } from '../../support/workspace/factories.js';

const oauth = useOAuth({ clock: systemClock });
const { workspace } = oauth;
const scopes = ['assignments:read', 'chats:read', 'task:read'];

/** Where clients listen, and where changes are made. */
let listening: LiveApi;
let changing: LiveApi;
let adminToken = '';
beforeAll(async () => {
  const eventStreams = { heartbeatMs: 30, heartbeatsPerCheck: 2 };
  const publicUrl = oauth.api.baseUrl;
  listening = await startLiveApi(oauth.database, { publicUrl, eventStreams });
  changing = await startLiveApi(oauth.database, { publicUrl });
  adminToken = await tokenOf(workspace.admin);
});
afterAll(() => Promise.all([listening.close(), changing.close()]));

async function connected(member: TestMember, asked = scopes) {
  const { client } = await oauth.addApplication({ scopes: asked });
  const wanted = { resource: client.resource.mcp, scope: asked.join(' ') };
  const { tokens } = await oauth.connect(client, wanted, await oauth.signedIn(member));
  return { client, token: tokens.access_token };
}

async function tokenOf(member: TestMember, asked?: string[]): Promise<string> {
  return (await connected(member, asked)).token;
}

const change = (method: string, path: string, body?: object, member = workspace.admin) =>
  changing.request(method, workspace.path(path), { apiKey: member.apiKey, body });

async function newChat(member = workspace.admin): Promise<number> {
  return (await change('POST', '/chats', { channel: 'web-chat' }, member)).body.id;
}

const opened: TestStream[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((stream) => stream.close()));
});

async function listen(token: string, notifications: unknown): Promise<TestStream> {
  const stream = await openListen(listening, token, notifications);
  opened.push(stream);
  return stream;
}

const subscribe = (token: string, ...uris: unknown[]) => listen(token, { resourceSubscriptions: uris });

const acknowledged = async (stream: TestStream) => {
  const { data } = await stream.seen('what it agrees to', ({ data }) =>
    data.method?.endsWith('acknowledged'),
  );
  return data.params.notifications;
};
const told = (stream: TestStream, uri: string) =>
  stream.seen(`a change of ${uri}`, ({ data }) => data.params?.uri === uri);
const urisOf = (stream: TestStream) => stream.events.flatMap(({ data }) => data.params?.uri ?? []);
/** The result of the request, by which the protocol ends a stream. */
const ended = async (stream: TestStream) => {
  await stream.ended;
  return stream.events.at(-1)?.data;
};
const result = {
  jsonrpc: '2.0',
  id: 'stream-1',
  result: expect.objectContaining({ resultType: 'complete' }),
};

describe('a stream of changes', () => {
  it('tells that a chat, its messages and its assignment have changed, and not what they are', async () => {
    const { assignment } = await addAssignment(workspace, {
      rootTask: { name: 'Talk', taskType: 'conversation', autoNext: true },
    });
    const { chatId } = assignment;
    const uris = {
      chat: `wes://chats/${chatId}`,
      transcript: `wes://chats/${chatId}/transcript`,
      assignment: `wes://assignments/${assignment.id}`,
    };
    const stream = await subscribe(adminToken, ...Object.values(uris));
    expect(await acknowledged(stream)).toEqual({ resourceSubscriptions: Object.values(uris) });
    expect(stream.events[0]?.data.method).toBe('notifications/subscriptions/acknowledged');

    await change('POST', `/chats/${chatId}/messages`, { content: 'a secret of mine' });
    expect((await told(stream, uris.transcript)).data).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: uris.transcript, _meta: { 'io.modelcontextprotocol/subscriptionId': 'stream-1' } },
    });
    await change('PUT', `/chats/${chatId}`, { title: 'a private title' });
    await told(stream, uris.chat);
    await change('PUT', `/chats/${chatId}`, { paused: true });
    await told(stream, uris.assignment);
    expect(JSON.stringify(stream.events)).not.toMatch(/secret|private/);
  });

  it('tells what a client library of 2026-07-28 understands', async () => {
    const chatId = await newChat();
    const uri = `wes://chats/${chatId}/transcript`;
    const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { Authorization: `Bearer ${adminToken}` };
    await client.connect(
      new ModernTransport(new URL(`${listening.baseUrl}/api/v2/mcp`), { requestInit: { headers } }),
    );
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    await change('POST', `/chats/${chatId}/messages`, { content: 'hello' });
    await waitFor('the change is heard', () => heard.length > 0);
    expect(heard).toContain(uri);
    await subscription.close();
    expect(await subscription.closed).toBe('local');
    await client.close();
  });

  it('agrees to what the client may read alone', async () => {
    const member = await addMember(workspace, {});
    const [own, foreign] = [await newChat(member), await newChat()];
    const other = await oauth.as(oauth.otherWorkspace.admin, oauth.otherWorkspace)('POST', '/chats', {
      channel: 'web-chat',
    });
    const uri = `wes://chats/${own}/transcript`;
    const stream = await subscribe(
      await tokenOf(member),
      ...[uri, uri, `wes://chats/${foreign}`, `wes://chats/${foreign}/transcript`],
      ...[`wes://chats/${other.body.id}`, 'wes://chats/999999999', 'wes://assignments/999999999'],
      ...['wes://files/1', 'https://example.com/'],
    );
    expect(await acknowledged(stream)).toEqual({ resourceSubscriptions: [uri] });
    await change('POST', `/chats/${foreign}/messages`, { content: 'not for you' });
    await change('POST', `/chats/${own}/messages`, { content: 'for you' }, member);
    await told(stream, uri);
    expect(urisOf(stream)).toEqual([uri]);
  });

  it('is over at once where there is nothing to be told of', async () => {
    const stream = await listen(adminToken, {
      toolsListChanged: true,
      resourceSubscriptions: ['wes://chats/1'],
    });
    expect(await acknowledged(stream)).toEqual({});
    expect(await ended(stream)).toEqual(result);
  });

  it('does not tell of notes to who may not see them', async () => {
    const member = await addMember(workspace, {});
    const chatId = await newChat(member);
    const uri = `wes://chats/${chatId}/transcript`;
    const [members, admins] = [await subscribe(await tokenOf(member), uri), await subscribe(adminToken, uri)];
    await Promise.all([acknowledged(members), acknowledged(admins)]);
    await changing.database.inWorkspace(workspace.workspaceId, (tx) =>
      insertMessage(tx, { chatId, role: 'system', author: 'system', content: 'a note' }),
    );
    await told(admins, uri);
    expect(urisOf(members)).toEqual([]);
    await change('POST', `/chats/${chatId}/messages`, { content: 'a word' }, member);
    await told(members, uri);
  });

  it('has no more addresses than one stream may have', async () => {
    const chats = await Promise.all(Array.from({ length: maxSubscribed + 1 }, () => newChat()));
    const stream = await subscribe(adminToken, ...chats.map((id) => `wes://chats/${id}`));
    const { resourceSubscriptions } = await acknowledged(stream);
    expect(resourceSubscriptions).toHaveLength(maxSubscribed);
  });

  it('asks for the scopes that its addresses need', async () => {
    const token = await tokenOf(workspace.admin, ['chats:read']);
    const { status, headers } = await sendModernMcp(listening, {
      token,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['wes://assignments/1'] } } as object,
    });
    expect(status).toBe(403);
    expect(headers.get('WWW-Authenticate')).toContain('scope="chats:read assignments:read task:read"');
  });

  it.each([
    ['no filter', undefined],
    ['what is no filter', { resourceSubscriptions: 'wes://chats/1' }],
    ['addresses that are none', { resourceSubscriptions: [7] }],
  ])('is refused with %s', async (_what, notifications) => {
    const { body } = await sendModernMcp(listening, {
      token: adminToken,
      method: 'subscriptions/listen',
      params: { notifications } as object,
    });
    expect(body.error.code).toBe(-32602);
  });

  it('is not there for clients of earlier versions, which are not told of it either', async () => {
    const params = { notifications: { resourceSubscriptions: [`wes://chats/${await newChat()}`] } };
    const { body } = await sendMcp(listening, { token: adminToken, method: 'subscriptions/listen', params });
    expect(body.error.code).toBe(-32601);
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const begun = await sendMcp(listening, { token: adminToken, method: 'initialize', params: initialize });
    expect(begun.body.capabilities).toEqual({ tools: {}, resources: {}, prompts: {} });
    const discovered = await sendModernMcp(listening, { token: adminToken, method: 'server/discover' });
    expect(discovered.body.capabilities).toMatchObject({ resources: { subscribe: true } });
  });
});

describe('a stream for tasks', () => {
  const notifications = { taskIds: ['one'], resourceSubscriptions: [] };
  const asked = { method: 'subscriptions/listen', params: { notifications } as object };

  it('is refused to clients that do not know tasks', async () => {
    const { status, body } = await sendModernMcp(listening, { token: adminToken, ...asked });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      id: 1,
      error: {
        code: -32021,
        data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      },
    });
  });

  it('has none for others: tasks are asked for', async () => {
    const knows = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const { status, body } = await sendModernMcp(listening, { token: adminToken, ...asked }, knows);
    expect(status).toBe(200);
    expect(body.params.notifications).toEqual({});
  });
});

describe('the streams of one credential', () => {
  it('are bounded, and make room when they end', async () => {
    const token = await tokenOf(workspace.admin);
    const uri = `wes://chats/${await newChat()}`;
    const streams = await Promise.all(Array.from({ length: 10 }, () => subscribe(token, uri)));
    await Promise.all(streams.map(acknowledged));
    const refused = await sendModernMcp(listening, {
      token,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: [uri] } } as object,
    });
    expect(refused).toMatchObject({ status: 503, body: { code: 'too_many_streams' } });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    // Another credential of the same person has streams of its own.
    expect(await acknowledged(await subscribe(adminToken, uri))).toEqual({ resourceSubscriptions: [uri] });
    await streams[0]?.close();
    await waitFor('a stream more is open', async () => (await subscribe(token, uri)).status === 200);
  });
});

describe('a stream ends, as the protocol has it, when', () => {
  /** A member who may read the chats of others, and listens to one. */
  async function listener() {
    const role = await addRole(workspace, { permissions: ['chats:read'] });
    const member = await addMember(workspace, { role });
    const { client, token } = await connected(member);
    const chatId = await newChat();
    const stream = await subscribe(token, `wes://chats/${chatId}/transcript`);
    await acknowledged(stream);
    await waitFor('checks were passed', () => stream.comments >= 6);
    return { stream, member, client, token, chatId, role };
  }

  const endings: [string, (one: Awaited<ReturnType<typeof listener>>) => Promise<unknown>][] = [
    ['the role is taken away', ({ role }) => change('PUT', `/member-roles/${role.id}`, { permissions: [] })],
    ['the member is disabled', ({ member }) => change('POST', `/members/${member.memberId}/disable`)],
    ['the member is deleted', ({ member }) => change('DELETE', `/members/${member.memberId}`)],
    [
      'the token is revoked',
      ({ client, token }: { client: TestOAuthClient; token: string }) => client.revoke(token),
    ],
  ];
  it.each(endings)('%s', async (_when, end) => {
    const one = await listener();
    const answer = (await end(one)) as { status: number };
    expect(answer.status).toBeLessThan(300);
    expect(await ended(one.stream)).toEqual(result);
  });

  it('the process stops', async () => {
    const stopping = await startLiveApi(oauth.database, { publicUrl: oauth.api.baseUrl });
    const stream = await openListen(stopping, adminToken, {
      resourceSubscriptions: [`wes://chats/${await newChat()}`],
    });
    await acknowledged(stream);
    await stopping.endStreams();
    expect(await ended(stream)).toEqual(result);
    await stopping.close();
  });
});

describe('notices of one address', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('come at once, and then at most once a second', () => {
    vi.useFakeTimers();
    const heard: string[] = [];
    const notices = new Notices((uri) => heard.push(uri));
    for (const uri of ['one', 'one', 'other', 'one']) notices.changed(uri);
    expect(heard).toEqual(['one', 'other']);
    vi.advanceTimersByTime(1_000);
    expect(heard).toEqual(['one', 'other', 'one']);
    notices.changed('one');
    vi.advanceTimersByTime(999);
    expect(heard).toHaveLength(3);
    notices.stop();
    vi.advanceTimersByTime(10_000);
    expect(heard).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });
});
