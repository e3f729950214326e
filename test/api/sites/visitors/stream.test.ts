import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStream, type TestStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { addChatSite, type ChatSite, type TestVisitor, visit } from '../../../support/sites/site-chat.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
const open: TestStream[] = [];
let api: LiveApi;

beforeAll(async () => {
  api = await startLiveApi(setup.database, { eventStreams: { heartbeatMs: 100, heartbeatsPerCheck: 1 } });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((stream) => stream.close()));
});
afterAll(() => api.close());

async function begun(values: object = {}): Promise<{ site: ChatSite; visitor: TestVisitor; chatId: number }> {
  const site = await addChatSite(api, setup.workspace, values);
  const visitor = await visit(api, site);
  expect((await visitor.write('Hello')).status).toBe(201);
  const [chat] = await setup.database.database.readInWorkspace(setup.workspace.workspaceId, (tx) =>
    tx('chats').where({ site_id: site.id }).select('id'),
  );
  return { site, visitor, chatId: chat.id };
}

async function follow(site: ChatSite, visitor: TestVisitor, lastEventId?: number): Promise<TestStream> {
  const caller = { apiKey: visitor.token, ...(lastEventId === undefined ? {} : { lastEventId }) };
  const stream = await openStream(api.baseUrl, `${site.path}/chat/events`, caller);
  open.push(stream);
  return stream;
}

const insert = (chatId: number, message: { role: string; author: string; content: string }) =>
  api.database.inWorkspace(setup.workspace.workspaceId, (tx) =>
    tx('messages').insert({
      uuid: randomUUID(),
      workspace_id: setup.workspace.workspaceId,
      chat_id: chatId,
      ...message,
      content: JSON.stringify(message.content),
    }),
  );

describe('the stream of a visitor’s chat', () => {
  it('begins with the first message, not before', async () => {
    const site = await addChatSite(api, setup.workspace);
    const visitor = await visit(api, site);
    const early = await follow(site, visitor);
    expect(early.status).toBe(409);
  });

  it('tells what is said, and nothing that colleagues note', async () => {
    const { site, visitor, chatId } = await begun();
    const stream = await follow(site, visitor);
    await stream.seen('the chat', ({ event }) => event === 'chat');
    await insert(chatId, { role: 'system', author: 'system', content: 'A note of the team' });
    await insert(chatId, { role: 'assistant', author: 'person', content: 'Good morning' });
    const { data } = await stream.seen('the answer', ({ event }) => event === 'message');
    expect(data.message).toMatchObject({ role: 'assistant', author: 'person', text: 'Good morning' });
    await visitor.write('Thank you');
    await stream.seen('its own message', ({ data: { message } }) => message?.text === 'Thank you');
    expect(JSON.stringify(stream.events)).not.toContain('note of the team');
    expect(new Set(stream.events.map(({ event }) => event))).toEqual(new Set(['chat', 'message']));
  });

  it('names the colleague who writes where the site shows names, and tells who has taken over', async () => {
    const { site, visitor, chatId } = await begun({ chatShowsNames: true });
    const stream = await follow(site, visitor);
    const answers = (agent: boolean) => () =>
      stream.events.findLast(({ event }) => event === 'chat')?.data.chat.agentAnswers === agent;
    await api.database.inWorkspace(setup.workspace.workspaceId, (tx) =>
      tx('chats').where({ id: chatId }).update({ assistant_enabled: true }),
    );
    await stream.seen('the agent', answers(true));
    const { apiKey, memberId } = setup.workspace.admin;
    const asAdmin = (method: string, path: string, body: object) =>
      api.request(method, setup.workspace.path(path), { apiKey, body });
    await asAdmin('PUT', `/members/${memberId}`, { name: 'Dana Smith' });
    await asAdmin('POST', `/chats/${chatId}/send-assistant-message`, { message: 'Good morning' });
    const { data } = await stream.seen('the answer', ({ event }) => event === 'message');
    expect(data.message).toMatchObject({ author: 'person', authorName: 'Dana Smith' });
    await stream.seen('the takeover', answers(false));
    await asAdmin('PUT', `/chats/${chatId}`, { paused: false });
    await stream.seen('what is given back', answers(true));
  });

  it('goes on after the last event that the browser has seen', async () => {
    const { site, visitor, chatId } = await begun();
    const first = await follow(site, visitor);
    await first.seen('the chat', ({ event }) => event === 'chat');
    const seen = first.lastId();
    await first.close();
    await insert(chatId, { role: 'assistant', author: 'person', content: 'Said meanwhile' });
    const next = await follow(site, visitor, seen);
    const { data } = await next.seen('what was missed', ({ event }) => event === 'message');
    expect(data.message.text).toBe('Said meanwhile');
  });

  it('tells that a colleague is writing, and not that the visitor is', async () => {
    const { site, visitor, chatId } = await begun();
    const stream = await follow(site, visitor);
    await stream.seen('the chat', ({ event }) => event === 'chat');
    expect((await visitor.request('POST', '/chat/typing')).status).toBe(204);
    const { apiKey } = setup.workspace.admin;
    const typing = setup.workspace.path(`/chats/${chatId}/typing`);
    expect((await api.request('POST', typing, { apiKey })).status).toBe(204);
    const { data } = await stream.seen('the typing', ({ event }) => event === 'typing');
    expect(data).toEqual({ author: 'person', active: true });
    expect(stream.events.filter(({ event }) => event === 'typing')).toHaveLength(1);
  });

  it.each([
    ['the visitor leaves', ({ visitor }: Begun) => visitor.request('DELETE', '/visitors/current')],
    [
      'the site is closed',
      ({ site }: Begun) =>
        api.request('PUT', setup.workspace.path(`/sites/${site.id}`), {
          apiKey: setup.workspace.admin.apiKey,
          body: { isPublic: false },
        }),
    ],
  ])('ends when %s', async (_, act) => {
    const all = await begun();
    const stream = await follow(all.site, all.visitor);
    await stream.seen('the chat', ({ event }) => event === 'chat');
    expect((await act(all)).status).toBeLessThan(300);
    await stream.ended;
    expect((await follow(all.site, all.visitor)).status).toBeGreaterThanOrEqual(401);
  });
});

type Begun = Awaited<ReturnType<typeof begun>>;
