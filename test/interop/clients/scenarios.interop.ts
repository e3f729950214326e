import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookHeaders } from '../../../domain/events/webhooks/sign-webhook.js';
import {
  closedPort,
  startAnswering,
  startServer,
  startSilentServer,
} from '../../providers/misbehaving-server.js';
import { callAs } from '../../support/api/call-as.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { installPythonTools } from '../support/python-tools.js';
import { type Mishap, startFaultyProxy } from './faulty-proxy.js';
import { runPython } from './run-python.js';
import { runTypeScript, type ScenarioName, type Told } from './scenarios.js';

let system: TestSystem;
let workspace: TestWorkspace;
let asAdmin: ReturnType<typeof callAs>;

beforeAll(async () => {
  [system] = await Promise.all([startSystem({ worker: false }), installPythonTools()]);
  workspace = await createWorkspace(system.database);
  asAdmin = callAs(system.api, workspace, workspace.admin);
});
afterAll(() => system.stop());

const languages = {
  TypeScript: runTypeScript,
  Python: async (name: ScenarioName, told: Told): Promise<unknown> =>
    JSON.parse(await runPython('test/interop/clients/scenarios.py', [name, JSON.stringify(told)])),
};

describe.each(Object.entries(languages))('the client in %s', (language, run) => {
  /** Runs a scenario through a proxy. Returns its result, and the requests that the proxy got. */
  async function through(mishaps: Mishap[], name: ScenarioName, told: Partial<Told> = {}) {
    const proxy = await startFaultyProxy(system.api.baseUrl, mishaps);
    const result = await run(name, { ...credentials(), baseUrl: proxy.baseUrl, ...told });
    return { result, requests: proxy.requests };
  }
  const credentials = () => ({
    apiKey: workspace.admin.apiKey,
    workspaceUuid: workspace.workspaceUuid,
  });
  const named = (name: string) => `${name} ${language}`;
  const membersNamed = async (name: string) =>
    (await asAdmin('GET', '/members', undefined, { search: name })).body.items as { name: string }[];

  /** A web chat without an assistant, with these messages. */
  async function chatWith(...contents: string[]): Promise<number> {
    const { body } = await asAdmin('POST', '/chats', { channel: 'web-chat' });
    for (const content of contents) await asAdmin('POST', `/chats/${body.id}/messages`, { content });
    return body.id;
  }

  it('repeats a POST with one idempotency key, so that nothing is created twice', async () => {
    const name = named('Created once');
    const { result, requests } = await through(
      ['answer lost', { answer: 503 }, { answer: 429, headers: { 'Retry-After': '0' } }],
      'createMember',
      { texts: { name } },
    );
    expect(result).toEqual({ id: expect.any(Number), name });
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(await membersNamed(name)).toHaveLength(1);
  });

  it('uses a new idempotency key for each call', async () => {
    const [first, second] = await Promise.all([
      through([], 'createMember', { texts: { name: named('A key') } }),
      through([], 'createMember', { texts: { name: named('A key') } }),
    ]);
    const keyOf = ({ requests }: typeof first) => requests[0]?.headers['idempotency-key'];
    expect(keyOf(first)).toMatch(/^[!-~]{20,}$/);
    expect(keyOf(second)).not.toBe(keyOf(first));
  });

  it('waits while the first request with its key is in progress', async () => {
    const inUse = {
      answer: 409,
      headers: { 'Retry-After': '0', 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ code: 'idempotency_key_in_use' }),
    };
    const { result } = await through([inUse], 'createMember', { texts: { name: named('In progress') } });
    expect(result).toMatchObject({ name: named('In progress') });
  });

  it('repeats a GET after 500 with Retry-After, 502, 503, 504 and lost connections', async () => {
    const { result, requests } = await through(
      [{ answer: 500, headers: { 'Retry-After': '0' } }, { answer: 502 }, 'answer lost', { answer: 504 }],
      'getWorkspace',
    );
    expect(result).toBe(workspace.workspaceUuid);
    expect(requests).toHaveLength(5);
  });

  it('does not repeat a POST without idempotency key unless it was refused by the limit', async () => {
    const ids = { chat: await chatWith() };
    const failed = await through([{ answer: 503 }], 'signalTyping', { ids });
    expect(failed.result).toMatchObject({ error: 'ProblemError', status: 503, code: 'unexpected_answer' });
    expect(failed.requests).toHaveLength(1);

    const limited = await through([{ answer: 429, headers: { 'Retry-After': '0' } }], 'signalTyping', {
      ids,
    });
    expect(limited.result).toBeNull();
    expect(limited.requests).toHaveLength(2);
  });

  it('returns the problem if there is nothing to wait for, or too long to wait', async () => {
    const broken = await through([{ answer: 500 }], 'getWorkspace');
    expect(broken.result).toMatchObject({ error: 'ProblemError', status: 500 });
    expect(broken.requests).toHaveLength(1);

    const limited = await through([{ answer: 429, headers: { 'Retry-After': '3600' } }], 'getWorkspace');
    expect(limited.result).toMatchObject({ error: 'ProblemError', status: 429 });
    expect(limited.requests).toHaveLength(1);
  });

  it('gives up after the last retry', async () => {
    const { result, requests } = await through([{ answer: 503 }, { answer: 503 }], 'getWorkspace', {
      retries: 1,
    });
    expect(result).toMatchObject({ error: 'ProblemError', status: 503 });
    expect(requests).toHaveLength(2);
  });

  it('fails if nobody listens or answers', async () => {
    const told = { ...credentials(), retries: 1 };
    const closed = await run('getWorkspace', { ...told, baseUrl: `http://127.0.0.1:${await closedPort()}` });
    expect(closed).toEqual({ error: 'TypeError' });
    const silent = await run('getWorkspace', {
      ...{ ...told, timeoutMs: 300 },
      baseUrl: `http://127.0.0.1:${await startSilentServer()}`,
    });
    expect(silent).toEqual({ error: 'TimeoutError' });
  });

  it('raises a problem with its code, request id and pointers', async () => {
    const { result } = await through([], 'createMemberWithWrongFields');
    expect(result).toMatchObject({
      error: 'ProblemError',
      status: 400,
      code: 'validation_failed',
      requestId: expect.stringMatching(/./),
      errors: expect.arrayContaining(
        ['/phone', '/colour'].map((pointer) => expect.objectContaining({ pointer })),
      ),
    });
  });

  it('raises 404 for another workspace, and 401 without credential', async () => {
    const other = await createWorkspace(system.database);
    const texts = { otherWorkspaceUuid: other.workspaceUuid };
    const { result } = await through([], 'getOtherWorkspace', { texts });
    expect(result).toMatchObject({ error: 'ProblemError', status: 404, code: 'not_found' });
    const { workspaceUuid } = workspace;
    const unknown = await run('getWorkspace', { baseUrl: system.api.baseUrl, workspaceUuid });
    expect(unknown).toMatchObject({ error: 'ProblemError', status: 401 });
  });

  it('encodes parameters of paths and queries, and repeats those with several values', async () => {
    const listed = await through([], 'listChats');
    expect(listed.result).toBe(0);
    const { searchParams } = new URL(listed.requests[0]?.url ?? '', 'http://service');
    const several = ['web-chat', 'phone-sms'].map((channel) => ['channel', channel]);
    expect([...searchParams]).toEqual([...several, ['paused', 'false'], ['search', 'a&b=ü +']]);

    const { result, requests } = await through([], 'upsertRecord');
    expect(result).toMatchObject({ error: 'ProblemError', status: 404 });
    const path = `/api/v2${workspace.path('/data-types/7/upsert/a%2Fb%20%C3%BC%3F')}`;
    expect(requests.map(({ url }) => url)).toEqual([path]);
  });

  it('reads three pages of members', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five'].map((name) => `${name} Paged${language}`);
    for (const name of names) await asAdmin('POST', '/members', { name });
    const { result, requests } = await through([], 'listMembers', { texts: { search: `Paged${language}` } });
    expect(result).toEqual(names);
    expect(requests).toHaveLength(3);
  });

  it('reads all items of pages that are cut', async () => {
    const total = 7;
    const members = Array.from({ length: total }, (_, index) => ({ name: `Member ${index}` }));
    // A page of more than two members is too large for an answer, which then has the first of them.
    const baseUrl = await startServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://service');
      const [page, pageSize] = [Number(searchParams.get('page')), Number(searchParams.get('pageSize'))];
      const wanted = members.slice((page - 1) * pageSize, page * pageSize);
      const items = wanted.slice(0, 2);
      const isCut = items.length < wanted.length;
      response.end(JSON.stringify({ items, total, page, pageSize, totalPages: 1, isCut }));
    });
    const names = await run('listMembersInLargePages', { ...credentials(), baseUrl });
    expect(names).toEqual(members.map(({ name }) => name));
  });

  it('reads three parts of messages', async () => {
    const ids = { chat: await chatWith('one', 'two', 'three', 'four', 'fi\u2028ve') };
    const { result, requests } = await through([], 'listMessages', { ids });
    expect(result).toEqual(['fi\u2028ve', 'four', 'three', 'two', 'one']);
    expect(requests).toHaveLength(3);
  });

  it('returns messages as an array, and with the total as an object', async () => {
    const ids = { chat: await chatWith('one', 'two') };
    const { result } = await through([], 'listNewestMessage', { ids });
    expect(result).toEqual(['two', 'two', 2]);
  });

  it('accepts an address with /api/v2', async () => {
    const baseUrl = `${system.api.baseUrl}/api/v2/`;
    expect(await run('getWorkspace', { ...credentials(), baseUrl })).toBe(workspace.workspaceUuid);
  });

  it('uploads a CSV file, reports its bad rows, and exports it with every character', async () => {
    // U+2028 ends a line in some libraries, but not in JSON or CSV.
    const description = 'one\u2028two';
    const rows = [`Import${language},,${language}-1,${description}`, `Bad,not an address,${language}-2,`];
    const csv = ['name,email,external_id,description', ...rows, ''].join('\n');
    const { result } = await through([], 'importMembers', { texts: { csv } });
    expect((result as object[]).at(-1)).toMatchObject({
      type: 'complete',
      total: 2,
      success: 1,
      failed: 1,
      failedRows: [3],
    });

    const exported = await through([], 'exportMembers', { texts: { search: `Import${language}` } });
    expect(exported.result).toContain(description);
  });

  it('raises the problem of a refused upload', async () => {
    const { result } = await through([], 'importMembers', { texts: { csv: 'colour\nblue\n' } });
    expect(result).toMatchObject({ error: 'ProblemError', status: 400 });
  });

  it('raises the failure that ends a stream of lines, and a broken stream', async () => {
    const progress = JSON.stringify({ type: 'progress', current: 1, text: 'a\u2028b' });
    const failure = JSON.stringify({ type: 'error', code: 'internal_error', requestId: 'r-1' });
    const baseUrl = await startAnswering(200, `${progress}\n${failure}\n`, 'application/x-ndjson');
    const told = { ...credentials(), texts: { csv: 'name\nAlex\n' } };
    expect(await run('importMembers', { ...told, baseUrl })).toEqual({
      error: 'StreamError',
      code: 'internal_error',
      requestId: 'r-1',
    });
    const breaking = await startServer((_, response) => {
      response.writeHead(200).write(`${progress}\n`, () => response.destroy());
    });
    expect(await run('importMembers', { ...told, baseUrl: breaking })).toEqual({ error: 'TypeError' });
  });

  it('continues a stream of events that was cut, without gap or repetition', async () => {
    const chat = await chatWith();
    const proxy = await startFaultyProxy(system.api.baseUrl, [
      { cutAfter: '"second"' },
      { answer: 503, headers: { 'Retry-After': '0' } },
    ]);
    const told = { ...credentials(), baseUrl: proxy.baseUrl, ids: { chat }, texts: { last: 'fourth' } };
    const following = run('followChat', told);
    // The stream begins with how the chat stands: what comes from then on is told as an event.
    await expect.poll(proxy.pieces).toBeGreaterThan(0);
    for (const content of ['first', 'second', 'third', 'fourth']) {
      await asAdmin('POST', `/chats/${chat}/messages`, { content });
    }
    const seen = (await following) as string[];
    expect(seen.slice(-3)).toEqual(['second', 'third', 'fourth']);
    expect(new Set(seen).size).toBe(seen.length);
    expect(proxy.requests.length).toBeGreaterThanOrEqual(3);
    expect(proxy.requests.at(-1)?.headers['last-event-id']).toMatch(/^\d+$/);
  });

  it('follows a chat in which nothing happens, however often the connection is cut', async () => {
    const event = `event: message.created\ndata: {"message":{"content":"at last"}}\n\n`;
    let connections = 0;
    const baseUrl = await startServer((_, response) => {
      connections += 1;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 1\n\n');
      if (connections <= 4) response.write(':\n\n', () => response.destroy());
      else response.end(event);
    });
    const told = { ...credentials(), baseUrl, retries: 1, ids: { chat: 1 }, texts: { last: 'at last' } };
    expect(await run('followChat', told)).toEqual(['at last']);
    expect(connections).toBe(5);
  });

  it('raises the problem of a stream that is refused', async () => {
    const { result } = await through([], 'followChat', { ids: { chat: 999_999_999 } });
    expect(result).toMatchObject({ error: 'ProblemError', status: 404 });
  });

  it('does not repeat a change on condition, which would fail with itself', async () => {
    const ids = { chat: await chatWith() };
    const read: Mishap = { cutAfter: 'nothing of it' };
    const { result, requests } = await through([read, 'answer lost'], 'renameChatTwice', { ids });
    expect(result).toEqual({ error: 'TypeError' });
    expect(requests).toHaveLength(2);
  });

  it('changes a chat only as it was read', async () => {
    const { result, requests } = await through([], 'renameChatTwice', { ids: { chat: await chatWith() } });
    expect(result).toMatchObject({ error: 'ProblemError', status: 412 });
    expect(requests).toHaveLength(3);
  });

  it('verifies webhooks, and refuses what is forged or old', async () => {
    const body = JSON.stringify({ event: 'member:updated', id: 'event-1', member: { name: 'Zoë — ✓' } });
    const [secret, other] = ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'chosen-by-the-receiver'];
    const signed = (secrets: string[], secondsAgo = 0) =>
      webhookHeaders({ eventUuid: 'event-1', body, secrets, at: new Date(Date.now() - secondsAgo * 1_000) });
    const verify = (headers: Record<string, string>, text = body, own = secret) =>
      run('verifyWebhook', { baseUrl: 'http://127.0.0.1', headers, texts: { secret: own, body: text } });

    expect(await verify(signed([secret]))).toBe('event-1');
    expect(await verify(signed([other, secret]))).toBe('event-1');
    expect(await verify(signed([other]), body, other)).toBe('event-1');
    const refused = { error: 'WebhookError' };
    expect(await verify(signed([other]))).toEqual(refused);
    expect(await verify(signed([secret]), `${body} `)).toEqual(refused);
    expect(await verify(signed([secret], 301))).toEqual(refused);
    expect(await verify(signed([secret], -310))).toEqual(refused);
    expect(await verify({})).toEqual(refused);
  });
});
