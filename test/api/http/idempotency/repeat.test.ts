import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { workspaceMember } from '../../../../api/http/access.js';
import { defineRoute } from '../../../../api/http/define-route.js';
import { routes } from '../../../../api/resources/index.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { createMember } from '../../../../domain/people/members/create-member.js';
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

const access = workspaceMember({ scope: 'members:write' });
const common = { method: 'POST', tag: 'Members', summary: 'A test', access } as const;
const add = (context: CommandContext) => createMember(context, { name: 'Robin Sample' });

const wrongAnswer = defineRoute({
  ...common,
  operationId: 'wrongAnswer',
  path: '/w/{workspace_uuid}/wrong-answers',
  response: { status: 201, schema: Type.Object({ id: Type.Unsafe<number>({ type: 'string' }) }) },
  handler: async ({ context }) => ({ id: (await add(context)).id }),
});

const failing = defineRoute({
  ...common,
  operationId: 'failing',
  path: '/w/{workspace_uuid}/failures',
  response: { status: 201, schema: Type.Object({ id: Type.Integer() }) },
  handler: async ({ context }) => {
    await add(context);
    throw new RangeError('after the command');
  },
});

const sending = defineRoute({
  ...common,
  operationId: 'sending',
  path: '/w/{workspace_uuid}/sendings',
  body: Type.Object({ colour: Type.String({ default: 'red', maxLength: 10 }) }),
  idempotent: true,
  response: { status: 204 },
  handler: async ({ context }) => {
    await add(context);
  },
});

const clock = new MovedClock();
const { api, workspace, as, asAdmin } = useApi({
  clock,
  routes: [...routes, wrongAnswer, failing, sending],
});

type Sender = Pick<TestMember, 'apiKey'>;
const postTo = (path: string, key: string, body: unknown, { apiKey }: Sender = workspace.admin) =>
  api.request('POST', path, { apiKey, body, headers: { 'Idempotency-Key': key } });
const post = (path: string, key: string, body: unknown, sender?: Sender) =>
  postTo(workspace.path(path), key, body, sender);
const webChat = { channel: 'web-chat' };
const hello = { content: 'Hello' };

const newChat = async (member = workspace.member): Promise<number> =>
  (await as(member)('POST', '/chats', webChat)).body.id;
/** Sends a message to a new chat, under a new key, as often as it is called. */
async function toNewChat(sender: Sender = workspace.admin, content = 'Hello') {
  const [chatId, key] = [await newChat(), randomUUID()];
  return { chatId, key, send: () => post(`/chats/${chatId}/messages`, key, { content }, sender) };
}
const messagesOf = async (chatId: number): Promise<unknown[]> =>
  (await asAdmin('GET', `/chats/${chatId}/messages`)).body;
/** How many members and keys there are. */
const counts = () =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => [
    (await tx('members').pluck('id')).length,
    (await tx('idempotency_keys').pluck('id')).length,
  ]);
const replayed = (answer: ApiResponse<unknown>) => answer.headers.get('Idempotency-Replayed');

describe('a request with an Idempotency-Key', () => {
  it('is carried out once and replayed with the same answer', async () => {
    const { chatId, send } = await toNewChat();

    const first = await send();
    const second = await send();

    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([second.status, replayed(second), second.body]).toEqual([201, 'true', first.body]);
    expect(second.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
    expect(await messagesOf(chatId)).toHaveLength(1);
  });

  it('is not replayed to a caller that has lost the permission, and stays carried out once', async () => {
    const helper = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
    const { chatId, send } = await toNewChat(helper, 'For helpers');
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
    const { chatId, send } = await toNewChat();

    const answers = await Promise.all(Array.from({ length: 50 }, send));

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
    const colleague = await addMember(workspace, { role: workspace.roles.admin, permissions: [] });
    const elsewhere = await createWorkspace(workspace.database);
    const key = randomUUID();

    const answers = [
      await post(`/chats/${chatId}/messages`, key, hello),
      await post(`/chats/${otherChatId}/messages`, key, hello),
      await post(`/chats/${chatId}/messages`, key, hello, secondKey),
      await post(`/chats/${chatId}/messages`, key, hello, colleague),
      await postTo(elsewhere.path('/chats'), key, webChat, elsewhere.admin),
    ];

    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual(Array(5).fill([201, null]));
    expect(await messagesOf(chatId)).toHaveLength(3);
  });

  it('matches a different spelling of the path', async () => {
    const { chatId, key, send } = await toNewChat();
    const first = await send();

    const inCapitals = `/w/${workspace.workspaceUuid.toUpperCase()}/chats/${chatId}/messages`;
    for (const spelling of [workspace.path(`/chats/0${chatId}/messages`), inCapitals]) {
      const answer = await postTo(spelling, key, hello);
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
    const { chatId, send } = await toNewChat();
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
    const [, before = 0] = await counts();
    expect((await post('/chats', key, { ...webChat, workflowId: 999_999 })).status).toBe(404);
    expect((await post('/chats', key, { ...webChat, surplus: 1 })).status).toBe(400);
    expect((await counts())[1]).toBe(before);

    expect((await post('/chats', key, webChat)).status).toBe(201);
    expect((await counts())[1]).toBe(before + 1);
  });

  it('is replayed only to callers that still have access', async () => {
    const member = await addMember(workspace, { permissions: ['chats:write'] });
    const chatId = await newChat(member);
    const key = randomUUID();
    const send = () => post(`/chats/${chatId}/messages`, key, hello, member);
    expect((await send()).status).toBe(201);

    await workspace.database.identity.memberships.remove(workspace.workspaceId, member.memberId);

    expect(await send()).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const unknown = { apiKey: 'wes_x' };
    expect((await post(`/chats/${chatId}/messages`, key, hello, unknown)).status).toBe(401);
  });

  it('creates one workspace for an account', async () => {
    const key = randomUUID();
    const slug = `clinic-${randomTag()}`;
    const create = () => postTo('/workspaces', key, { name: 'Clinic', slug });

    const answers = await Promise.all([create(), create(), create(), create()]);
    const last = await create();

    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect([last.status, last.body.slug, replayed(last)]).toEqual([201, slug, 'true']);
  });
});

describe('a response with a secret', () => {
  it('is not stored, and a replay refers to the created resource', async () => {
    const key = randomUUID();
    const body = { name: 'For a script', scopes: ['chats:read'] };
    const create = () => postTo('/account/api-keys', key, body);

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
    const body = { code: 'invalid_idempotency_key', detail: expect.stringContaining('Idempotency-Key') };
    expect(await post('/chats', key, webChat)).toMatchObject({ status: 400, body });
  });

  it.each(['x', '"in-quotes"', '!~'.repeat(127)])('accepts the value %s', async (key) => {
    expect((await post('/chats', key, webChat)).status).toBe(201);
  });

  it('is stored without the key itself', async () => {
    const key = `private-${randomUUID()}`;
    await post('/chats', key, webChat);
    const rows = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('idempotency_keys').select('*'),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});

describe('the handler of a request with an Idempotency-Key', () => {
  it.each([
    ['an answer that is not as declared', '/wrong-answers', 'response_mismatch'],
    ['a handler that fails after its command', '/failures', 'internal_error'],
  ])('rolls back the command and stores nothing for %s', async (_what, path, code) => {
    const before = await counts();
    const key = randomUUID();
    for (let count = 0; count < 2; count += 1)
      expect(await post(path, key, undefined)).toMatchObject({ status: 500, body: { code } });
    expect(await counts()).toEqual(before);
  });

  it('replays an empty answer', async () => {
    const [members = 0] = await counts();
    const key = randomUUID();
    expect((await post('/sendings', key, { colour: 'blue' })).status).toBe(204);
    const again = await post('/sendings', key, { colour: 'blue' });
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([204, 'true']);
    expect((await counts())[0]).toBe(members + 1);
  });

  it('is compared as it was sent, because defaults may change with a version', async () => {
    const key = randomUUID();
    expect((await post('/sendings', key, {})).status).toBe(204);
    expect((await post('/sendings', key, { colour: 'red' })).status).toBe(422);
    expect((await post('/sendings', key, {})).status).toBe(204);
  });
});
