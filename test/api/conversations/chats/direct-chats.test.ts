import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { updateAssistant } from '../../../../domain/conversations/assistants/update-assistant.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { callAs, pointersOf } from '../../../support/call-as.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { addApiKey, addMember, createWorkspace, type TestWorkspace } from '../../../support/factories.js';

let testDatabase: TestDatabase;
let api: TestApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  api = await startApi(testDatabase.database);
  workspace = await createWorkspace(testDatabase.database);
});
afterAll(async () => {
  await api.close();
  await testDatabase.drop();
});

const dm = (who: { apiKey: string }, memberId: unknown) =>
  callAs(api, workspace, who)('POST', '/chats/dm', { memberId });
const writer = () => addMember(workspace, { permissions: ['dm:write'] });
const agent = (name = 'Helper') => createAssistant(workspace.context(), { name, instructions: '' });

describe('a direct chat with a person', () => {
  it('is one for the pair, whoever asks', async () => {
    const [one, two] = [await writer(), await writer()];

    const first = await dm(one, two.memberId);

    expect(first).toMatchObject({
      status: 201,
      body: {
        channel: 'web-chat',
        chatType: 'dm',
        assignmentId: null,
        participants: [
          { memberId: two.memberId, role: 'user' },
          { memberId: one.memberId, role: 'contributor' },
        ],
      },
    });
    expect((await dm(one, two.memberId)).body).toEqual(first.body);
    expect((await dm(two, one.memberId)).body.id).toBe(first.body.id);
    expect((await dm(one, (await writer()).memberId)).body.id).not.toBe(first.body.id);
  });

  it('is one when fifty ask at once, from both sides', async () => {
    const [one, two] = [await writer(), await writer()];

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? dm(one, two.memberId) : dm(two, one.memberId),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await callAs(api, workspace, one)('GET', '/chats')).body.total).toBe(1);
  });

  it('carries messages both ways without an agent', async () => {
    const [one, two] = [await writer(), await writer()];
    const { id } = (await dm(one, two.memberId)).body;

    await callAs(api, workspace, one)('POST', `/chats/${id}/messages`, { content: 'Lunch?' });
    await callAs(api, workspace, two)('POST', `/chats/${id}/messages`, { content: 'Yes' });

    expect((await callAs(api, workspace, one)('GET', `/chats/${id}/messages`)).body).toMatchObject([
      { content: 'Yes', role: 'user', memberId: two.memberId },
      { content: 'Lunch?', role: 'user', memberId: one.memberId },
    ]);
    const chat = async () => (await callAs(api, workspace, one)('GET', `/chats/${id}`)).body;
    expect(await chat()).toMatchObject({ paused: false, needsResponse: true });

    await callAs(api, workspace, one)('POST', `/chats/${id}/messages`, { content: 'At noon' });

    expect(await chat()).toMatchObject({ needsResponse: false });
  });

  it('needs the permission, and tells nobody without it who there is', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member });

    for (const memberId of [workspace.admin.memberId, 987_654_321]) {
      const answer = await dm(plain, memberId);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain('dm:write');
    }
  });

  it('needs the scope on the credential as well', async () => {
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, {
      scopes: ['chats:read', 'chats:write'],
    });

    expect((await dm({ apiKey }, workspace.member.memberId)).status).toBe(403);
  });

  it('is nobody else’s to read', async () => {
    const [one, two] = [await writer(), await writer()];
    const { id } = (await dm(one, two.memberId)).body;

    expect((await callAs(api, workspace, await writer())('GET', `/chats/${id}`)).status).toBe(403);
  });
});

describe('a direct chat with an agent', () => {
  it('needs no permission and no scope; the agent answers', async () => {
    const { memberId } = await agent();
    const apiKey = await addApiKey(workspace.database, workspace.member.accountId, {
      scopes: ['account:read'],
    });

    const answer = await dm({ apiKey }, memberId);

    expect(answer).toMatchObject({
      status: 201,
      body: {
        chatType: 'dm',
        participants: [
          { memberId: workspace.member.memberId, role: 'user' },
          { memberId, role: 'assistant' },
        ],
      },
    });
    expect((await dm({ apiKey }, memberId)).body.id).toBe(answer.body.id);
  });

  it('is not begun with one that is disabled; the one there is stays', async () => {
    const assistant = await agent();
    const had = await dm(workspace.member, assistant.memberId);
    await updateAssistant(workspace.context(), assistant.id, { enabled: false });

    expect((await dm(workspace.admin, assistant.memberId)).status).toBe(404);
    expect((await dm(workspace.member, assistant.memberId)).body.id).toBe(had.body.id);
  });
});

it('is refused with oneself, with nobody, and with nonsense', async () => {
  expect((await dm(workspace.admin, 987_654_321)).status).toBe(404);
  for (const memberId of [workspace.admin.memberId, 'nobody', undefined]) {
    const answer = await dm(workspace.admin, memberId);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/memberId']]);
  }
});

it('is for members of the workspace', async () => {
  const stranger = await createWorkspace(testDatabase.database);

  expect((await dm(stranger.admin, workspace.member.memberId)).status).toBe(404);
  expect((await dm(workspace.admin, stranger.member.memberId)).status).toBe(404);
  const path = workspace.path('/chats/dm');
  expect((await api.request('POST', path, { body: { memberId: 1 } })).status).toBe(401);
});
