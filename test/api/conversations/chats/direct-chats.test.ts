import { describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { updateAssistant } from '../../../../domain/conversations/assistants/update-assistant.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addApiKey, addMember, createWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace, as } = useApi();

const dm = (who: { apiKey: string }, memberId: unknown) => as(who)('POST', '/chats/dm', { memberId });
const writer = () => addMember(workspace, { permissions: ['dm:write'] });
const agent = (name = 'Helper') => createAssistant(workspace.context(), { name, instructions: '' });

describe('a direct chat with a person', () => {
  it('is the same chat for a pair, whichever member opens it', async () => {
    const [one, two] = [await writer(), await writer()];

    const first = await dm(one, two.memberId);

    const participants = [
      { memberId: two.memberId, role: 'user' },
      { memberId: one.memberId, role: 'contributor' },
    ];
    expect(first).toMatchObject({
      status: 201,
      body: { channel: 'web-chat', chatType: 'dm', assignmentId: null, participants },
    });
    expect((await dm(one, two.memberId)).body).toEqual(first.body);
    expect((await dm(two, one.memberId)).body.id).toBe(first.body.id);
    expect((await dm(one, (await writer()).memberId)).body.id).not.toBe(first.body.id);
  });

  it('is created once for fifty concurrent requests from both sides', async () => {
    const [one, two] = [await writer(), await writer()];

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? dm(one, two.memberId) : dm(two, one.memberId),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await as(one)('GET', '/chats')).body.total).toBe(1);
  });

  it('carries messages both ways without an agent', async () => {
    const [one, two] = [await writer(), await writer()];
    const { id } = (await dm(one, two.memberId)).body;

    await as(one)('POST', `/chats/${id}/messages`, { content: 'Lunch?' });
    await as(two)('POST', `/chats/${id}/messages`, { content: 'Yes' });

    expect((await as(one)('GET', `/chats/${id}/messages`)).body).toMatchObject([
      { content: 'Yes', role: 'user', memberId: two.memberId },
      { content: 'Lunch?', role: 'user', memberId: one.memberId },
    ]);
    const chat = async () => (await as(one)('GET', `/chats/${id}`)).body;
    expect(await chat()).toMatchObject({ paused: false, needsResponse: true });

    await as(one)('POST', `/chats/${id}/messages`, { content: 'At noon' });

    expect(await chat()).toMatchObject({ needsResponse: false });
  });

  it('requires dm:write and does not reveal whether the member exists', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member });

    for (const memberId of [workspace.admin.memberId, 987_654_321]) {
      const answer = await dm(plain, memberId);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain('dm:write');
    }
  });

  it('requires the scope on the credential', async () => {
    const scopes = ['chats:read', 'chats:write'] as const;
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });
    expect((await dm({ apiKey }, workspace.member.memberId)).status).toBe(403);
  });

  it('is not readable for a third member', async () => {
    const [one, two] = [await writer(), await writer()];
    const { id } = (await dm(one, two.memberId)).body;
    expect((await as(await writer())('GET', `/chats/${id}`)).status).toBe(403);
  });
});

describe('a direct chat with an agent', () => {
  it('requires no permission and no scope, and the agent answers', async () => {
    const { memberId } = await agent();
    const scopes = ['account:read'] as const;
    const apiKey = await addApiKey(workspace.database, workspace.member.accountId, { scopes });

    const answer = await dm({ apiKey }, memberId);

    const participants = [
      { memberId: workspace.member.memberId, role: 'user' },
      { memberId, role: 'assistant' },
    ];
    expect(answer).toMatchObject({ status: 201, body: { chatType: 'dm', participants } });
    expect((await dm({ apiKey }, memberId)).body.id).toBe(answer.body.id);
  });

  it('is not created with a disabled assistant, and an existing chat stays', async () => {
    const assistant = await agent();
    const had = await dm(workspace.member, assistant.memberId);
    await updateAssistant(workspace.context(), assistant.id, { enabled: false });
    expect((await dm(workspace.admin, assistant.memberId)).status).toBe(404);
    expect((await dm(workspace.member, assistant.memberId)).body.id).toBe(had.body.id);
  });
});

it('is refused with the caller itself, an unknown member and invalid ids', async () => {
  expect((await dm(workspace.admin, 987_654_321)).status).toBe(404);
  for (const memberId of [workspace.admin.memberId, 'nobody', undefined]) {
    const answer = await dm(workspace.admin, memberId);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/memberId']]);
  }
});

it('is restricted to members of the workspace', async () => {
  const stranger = await createWorkspace(workspace.database);
  expect((await dm(stranger.admin, workspace.member.memberId)).status).toBe(404);
  expect((await dm(workspace.admin, stranger.member.memberId)).status).toBe(404);
  const path = workspace.path('/chats/dm');
  expect((await api.request('POST', path, { body: { memberId: 1 } })).status).toBe(401);
});
