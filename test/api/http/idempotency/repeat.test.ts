import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../../support/api/api.js';
import { useApi } from '../../../support/api/use-api.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import {
  addApiKey,
  addMember,
  createWorkspace,
  randomTag,
  type TestMember,
} from '../../../support/workspace/factories.js';

const clock = new MovedClock();
const { api, workspace, asAdmin } = useApi({ clock });

const post = (
  path: string,
  key: string | undefined,
  body: unknown,
  member: Pick<TestMember, 'apiKey'> = workspace.admin,
) =>
  api.request('POST', workspace.path(path), {
    apiKey: member.apiKey,
    body,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  });

const newChat = async (member = workspace.member): Promise<number> =>
  (await post('/chats', undefined, { channel: 'web-chat' }, member)).body.id;
const messagesOf = async (chatId: number): Promise<unknown[]> =>
  (await asAdmin('GET', `/chats/${chatId}/messages`)).body;
const keysKept = () =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
    Number((await tx('idempotency_keys').count({ count: '*' }))[0]?.count),
  );
const replayed = (answer: ApiResponse<unknown>) => answer.headers.get('Idempotency-Replayed');

describe('a request with an Idempotency-Key', () => {
  it('is carried out once and replayed with the same answer', async () => {
    const chatId = await newChat();
    const key = randomUUID();

    const first = await post(`/chats/${chatId}/messages`, key, { content: 'Hello' });
    const second = await post(`/chats/${chatId}/messages`, key, { content: 'Hello' });

    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([second.status, replayed(second)]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
    expect(await messagesOf(chatId)).toHaveLength(1);
  });

  it('is not replayed to a caller that has lost the permission, and stays carried out once', async () => {
    const chatId = await newChat();
    const helper = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
    const key = randomUUID();
    const send = () => post(`/chats/${chatId}/messages`, key, { content: 'For helpers' }, helper);
    const first = await send();
    const demote = (permissions: string[]) =>
      workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
        tx('member_roles').where({ id: helper.role.id }).update({ permissions }),
      );

    await demote([]);
    const refused = await send();
    await demote(['chats:read', 'chats:write', 'data:read']);
    const again = await send();

    expect(first.status).toBe(201);
    expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_answer_not_kept' } });
    expect(JSON.stringify(refused.body)).not.toContain('For helpers');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await messagesOf(chatId)).toHaveLength(1);
  });

  it('is carried out once for fifty concurrent copies, which get the answer or a 409', async () => {
    const chatId = await newChat();
    const key = randomUUID();

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post(`/chats/${chatId}/messages`, key, { content: 'All at once' })),
    );

    expect(await messagesOf(chatId)).toHaveLength(1);
    const done = answers.filter(({ status }) => status === 201);
    expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_use' } });
      expect(answer.headers.get('Retry-After')).toBe('1');
    }
  });

  it('is independent of the same key on another path, credential or workspace', async () => {
    const [chatId, otherChatId] = [await newChat(), await newChat()];
    const { admin } = workspace;
    const secondKey = { apiKey: await addApiKey(workspace.database, admin.accountId) };
    const colleague = await addMember(workspace, {
      role: workspace.roles.admin,
      permissions: [],
    });
    const elsewhere = await createWorkspace(workspace.database);
    const key = randomUUID();
    const body = { content: 'Hello' };

    const answers = [
      await post(`/chats/${chatId}/messages`, key, body),
      await post(`/chats/${otherChatId}/messages`, key, body),
      await post(`/chats/${chatId}/messages`, key, body, secondKey),
      await post(`/chats/${chatId}/messages`, key, body, colleague),
      await api.request('POST', elsewhere.path('/chats'), {
        apiKey: elsewhere.admin.apiKey,
        body: { channel: 'web-chat' },
        headers: { 'Idempotency-Key': key },
      }),
    ];

    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual(Array(5).fill([201, null]));
    expect(await messagesOf(chatId)).toHaveLength(3);
  });

  it('matches a different spelling of the path', async () => {
    const chatId = await newChat();
    const key = randomUUID();
    const { path, workspaceUuid, admin } = workspace;
    const first = await post(`/chats/${chatId}/messages`, key, { content: 'Hello' });

    for (const spelling of [
      path(`/chats/0${chatId}/messages`),
      `/w/${workspaceUuid.toUpperCase()}/chats/${chatId}/messages`,
    ]) {
      const answer = await api.request('POST', spelling, {
        apiKey: admin.apiKey,
        body: { content: 'Hello' },
        headers: { 'Idempotency-Key': key },
      });
      expect([answer.body, replayed(answer)]).toEqual([first.body, 'true']);
    }
  });

  it('matches a different order of the fields, and is rejected with other values', async () => {
    const key = randomUUID();
    const email = `${randomTag()}@example.com`;
    const first = await post('/members', key, { name: 'Robin Sample', email });

    const reordered = await post('/members', key, { email, name: 'Robin Sample' });
    const another = await post('/members', key, { name: 'Alex Sample', email });

    expect([reordered.body.id, replayed(reordered)]).toEqual([first.body.id, 'true']);
    expect(another).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('is carried out again after 24 hours and not before', async () => {
    const chatId = await newChat();
    const key = randomUUID();
    const send = () => post(`/chats/${chatId}/messages`, key, { content: 'Good morning' });
    await send();

    clock.advance(hours(24) - 1);
    expect(replayed(await send())).toBe('true');
    clock.advance(1);
    expect(replayed(await send())).toBeNull();

    expect(await messagesOf(chatId)).toHaveLength(2);
    expect(replayed(await send())).toBe('true');
  });

  it('stores nothing if it is rejected, and is carried out when retried', async () => {
    const key = randomUUID();
    const before = await keysKept();
    const chat = { channel: 'web-chat', workflowId: 999_999 };
    expect((await post('/chats', key, chat)).status).toBe(404);
    expect((await post('/chats', key, { channel: 'web-chat', surplus: 1 })).status).toBe(400);
    expect(await keysKept()).toBe(before);

    expect((await post('/chats', key, { channel: 'web-chat' })).status).toBe(201);
    expect(await keysKept()).toBe(before + 1);
  });

  it('is replayed only to callers that still have access', async () => {
    const member = await addMember(workspace, { permissions: ['chats:write'] });
    const chatId = await newChat(member);
    const key = randomUUID();
    const send = () => post(`/chats/${chatId}/messages`, key, { content: 'Hello' }, member);
    expect((await send()).status).toBe(201);

    await workspace.database.identity.memberships.remove(workspace.workspaceId, member.memberId);

    expect(await send()).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(
      await post(`/chats/${chatId}/messages`, key, { content: 'Hello' }, { apiKey: 'wes_x' }),
    ).toMatchObject({ status: 401 });
  });

  it('creates one workspace for an account', async () => {
    const key = randomUUID();
    const { apiKey } = workspace.admin;
    const slug = `clinic-${randomTag()}`;
    const create = () =>
      api.request('POST', '/workspaces', {
        apiKey,
        body: { name: 'Clinic', slug },
        headers: { 'Idempotency-Key': key },
      });

    const answers = await Promise.all([create(), create(), create(), create()]);
    const last = await create();

    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect([last.status, last.body.slug, replayed(last)]).toEqual([201, slug, 'true']);
  });
});

describe('a response with a secret', () => {
  it('is not stored, and a replay refers to the created resource', async () => {
    const key = randomUUID();
    const { apiKey } = workspace.admin;
    const create = () =>
      api.request('POST', '/account/api-keys', {
        apiKey,
        body: { name: 'For a script', scopes: ['chats:read'] },
        headers: { 'Idempotency-Key': key },
      });

    const first = await create();
    const second = await create();

    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_answer_not_kept' } });
    expect(second.body.detail).toContain(`has the id ${first.body.id}.`);
    const kept = await workspace.database.atomically(null, (_, tx) =>
      tx('identity.account_idempotency_keys').select('answer').where({ resource_id: first.body.id }),
    );
    expect(kept).toEqual([{ answer: null }]);
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['with a space', 'two words'],
    ['twice', 'one, two'],
    ['beyond ASCII', 'cl\u00e9'],
    ['of 256 characters', 'x'.repeat(256)],
  ])('that is %s is rejected, naming the header', async (_what, key) => {
    const answer = await post('/chats', key, { channel: 'web-chat' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    expect(answer.body.detail).toContain('Idempotency-Key');
  });

  it.each(['x', '"in-quotes"', '!~'.repeat(127)])('accepts the value %s', async (key) => {
    expect((await post('/chats', `${key}`, { channel: 'web-chat' })).status).toBe(201);
  });

  it('is stored without the key itself', async () => {
    const key = `private-${randomUUID()}`;
    await post('/chats', key, { channel: 'web-chat' });
    const rows = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('idempotency_keys').select('*'),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});
