import { beforeAll, describe, expect, it } from 'vitest';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const newChat = async (as = asMember, body = {}): Promise<number> =>
  (await as('POST', '/chats', { channel: 'web-chat', ...body })).body.id;
/** A chat with an assignment. */
const newWalk = async (as = asMember): Promise<{ id: number; assignmentId: number }> => {
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  return (await as('POST', '/chats', { channel: 'web-chat', workflowId })).body;
};
const list = async (path: string, query: Record<string, string | number> = {}, as = asMember) =>
  (await as('GET', path, undefined, query)).body;
const contentsOf = (messages: { content: string }[]) => messages.map(({ content }) => content);
const say = (chatId: number, content: unknown, as = asMember) =>
  as('POST', `/chats/${chatId}/messages`, { content });

describe('access to messages', () => {
  let chat: { id: number; assignmentId: number };
  beforeAll(async () => {
    chat = await newWalk(asAdmin);
  });

  describeAccess({ api, workspace, otherWorkspace }, ['list', 'send', "an assignment's list"], () => {
    const path = `/chats/${chat.id}/messages`;
    const ofAssignment = `/assignments/${chat.assignmentId}/messages`;
    const body = { content: 'Hello' };
    return [
      { method: 'GET', path, scope: 'chats:read', needsPermission: true, namesItem: true },
      { method: 'POST', path, scope: 'chats:write', needsPermission: true, body, namesItem: true },
      {
        method: 'GET',
        path: ofAssignment,
        scope: 'assignments:read',
        needsPermission: true,
        namesItem: true,
      },
    ];
  });
});

describe('sending a message', () => {
  it('takes the role that it has in any case', async () => {
    const chatId = await newChat();
    const answer = await asMember('POST', `/chats/${chatId}/messages`, { role: 'user', content: 'Hello' });
    expect(answer).toMatchObject({ status: 201, body: { role: 'user', content: 'Hello' } });
  });

  it('stores a message of the member with role user', async () => {
    const chatId = await newChat();

    const answer = await say(chatId, 'Hello there');

    expect(answer).toEqual({
      status: 201,
      headers: expect.anything(),
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        role: 'user',
        author: 'member',
        content: 'Hello there',
        tool_calls: [],
        created_at: expect.any(String),
        memberId: workspace.member.memberId,
      },
    });
  });

  it('shows no author for a message of a release that stored none', async () => {
    const chatId = await newChat();
    await say(chatId, 'Hello there');
    await workspace.within((tx) => tx('messages').where({ chat_id: chatId }).update({ author: null }));
    const [message] = await list(`/chats/${chatId}/messages`);
    expect(message).toMatchObject({ role: 'user', content: 'Hello there' });
    expect(message).not.toHaveProperty('author');
  });

  it('shows when words were said in a call, how they were cut off, and in which recording', async () => {
    const chatId = await newChat();
    const audioFileUuid = '7b1f4c1e-7d0f-4a53-8c7d-0e4b9a3d2c11';
    const said = {
      content: 'Good',
      originalContent: 'Good morning',
      truncationReason: 'interrupted',
      truncatedAtMs: 420,
      audioMetadata: { phoneCallId: 1, startMs: 80, endMs: 500 },
      audioFileUuid,
    };
    await workspace.within((tx) =>
      insertMessage(tx, { chatId, role: 'assistant', author: 'agent', ...said }),
    );
    expect(await list(`/chats/${chatId}/messages`)).toMatchObject([said]);
  });

  it('accepts content parts', async () => {
    const content = ['One', 'Two'].map((text) => ({ type: 'text', text }));
    expect(await say(await newChat(), content)).toMatchObject({ status: 201, body: { content } });
  });

  it('relays the member’s message for a caller that takes no part, and does not pause the agent', async () => {
    const number = await addPhoneNumber(workspace);
    const { memberId } = workspace.member;
    const path = { channel: 'phone-sms', phoneNumberId: number.id };
    const chatIds = [await newChat(asMember, path), await newChat(asAdmin, { ...path, memberId })];

    for (const chatId of chatIds) {
      const answer = await say(chatId, 'My knee hurts', asAdmin);

      expect(answer).toMatchObject({ status: 201, body: { role: 'user', author: 'member', memberId } });
      expect(answer.body).not.toHaveProperty('smsDeliveryStatus');
      expect((await asAdmin('GET', `/chats/${chatId}`)).body).toMatchObject({ paused: false });
      const rows = await workspace.within((tx) => tx('deliveries').where({ chat_id: chatId }));
      expect(rows).toEqual([]);
    }
  });

  it('rejects a relay by the creator of a chat without chats:write', async () => {
    const creator = await addMember(workspace, { permissions: ['chats:write'] });
    const asCreator = as(creator);
    const chatId = await newChat(asCreator, { memberId: workspace.member.memberId });
    await asAdmin('PUT', `/members/${creator.memberId}`, { memberRoleId: workspace.roles.member.id });
    expect(await say(chatId, 'I say so', asCreator)).toMatchObject({ status: 403 });
  });

  it('stores a participant’s message with its own author and without a further permission', async () => {
    const friend = await addMember(workspace, { role: workspace.roles.member });
    const { memberId } = workspace.member;
    const chatId = await newChat(asAdmin, { memberId, participants: [{ memberId: friend.memberId }] });

    const answer = await say(chatId, 'I am here too', as(friend));

    const body = { role: 'user', author: 'person', memberId: friend.memberId };
    expect(answer).toMatchObject({ status: 201, body });
  });

  it('sets needsResponse where no agent answers', async () => {
    const chatId = await newChat(asMember, { assistantEnabled: false });

    await say(chatId, 'Anybody there?');

    expect((await asMember('GET', `/chats/${chatId}`)).body.needsResponse).toBe(true);
    await say(chatId, 'Relayed: still nobody?', asAdmin);
    expect((await asMember('GET', `/chats/${chatId}`)).body.needsResponse).toBe(true);
  });

  it.each([
    ['no content', {}, '/content'],
    ['empty content', { content: '' }, '/content'],
    ['blanks only', { content: ' \n ' }, '/content'],
    ['no parts', { content: [] }, '/content'],
    ['content that is a number', { content: 7 }, '/content'],
    ['too much', { content: 'x'.repeat(20_001) }, '/content'],
    ['the role of another', { content: 'Hi', role: 'assistant' }, '/role'],
    ['an unknown field', { content: 'Hi', author: 'member' }, '/author'],
  ])('refuses %s', async (_what, body, pointer) => {
    const answer = await asMember('POST', `/chats/${await newChat()}/messages`, body);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)[0]).toBe(pointer);
  });

  it('refuses parts other than text', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com' } };
    const answer = await say(await newChat(), [image]);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body).every((pointer) => pointer.startsWith('/content'))).toBe(true);
  });
});

describe('listing messages', () => {
  const note = (chatId: number) =>
    workspace.within((tx) =>
      insertMessage(tx, {
        chatId,
        role: 'system',
        author: 'system',
        content: 'Handed over: sounds confused',
      }),
    );

  it('returns the newest first, ten by default', async () => {
    const chatId = await newChat();
    for (let number = 1; number <= 12; number += 1) await say(chatId, `Message ${number}`);
    const contents = async (query = {}) => contentsOf(await list(`/chats/${chatId}/messages`, query));

    expect(await contents()).toHaveLength(10);
    expect(await contents({ limit: 2 })).toEqual(['Message 12', 'Message 11']);
    expect(await contents({ limit: 2, offset: 10 })).toEqual(['Message 2', 'Message 1']);
    expect(await contents({ offset: 50 })).toEqual([]);
  });

  it('returns the total on request', async () => {
    const chatId = await newChat();
    for (const text of ['One', 'Two', 'Three']) await say(chatId, text);
    const query = { total_count: 'true', limit: 2, offset: 2 };

    expect(await list(`/chats/${chatId}/messages`, query)).toEqual({
      messages: [expect.objectContaining({ content: 'One' })],
      total: 3,
      totalCount: 3,
      page: 2,
      pageSize: 2,
      totalPages: 2,
    });
  });

  it('shows notes to operators and not to the member', async () => {
    const { id, assignmentId } = await newWalk();
    await say(id, 'Hello');
    await note(id);
    const rolesSeenBy = async (as: typeof asMember, path: string) => {
      const { messages, totalCount } = await list(path, { total_count: 'true' }, as);
      expect(totalCount).toBe(messages.length);
      return messages.map(({ role }: { role: string }) => role);
    };

    for (const path of [`/chats/${id}/messages`, `/assignments/${assignmentId}/messages`]) {
      expect(await rolesSeenBy(asMember, path)).toEqual(['user']);
      expect(await rolesSeenBy(asAdmin, path)).toEqual(['system', 'user']);
    }
  });

  it('shows notes to participants, but not to those with the role user', async () => {
    const [guest, colleague] = [await addMember(workspace), await addMember(workspace)];
    const participants = [
      { memberId: guest.memberId, role: 'user' },
      { memberId: colleague.memberId, role: 'contributor' },
    ];
    const chatId = await newChat(asAdmin, { memberId: workspace.member.memberId, participants });
    await note(chatId);
    const seenBy = async (reader: typeof guest) =>
      list(`/chats/${chatId}/messages`, {}, as(reader)).then(contentsOf);

    expect(await seenBy(guest)).toEqual([]);
    expect(await seenBy(colleague)).toEqual(['Handed over: sounds confused']);
  });

  it('paginates for a member as if notes did not exist', async () => {
    const chatId = await newChat();
    const path = `/chats/${chatId}/messages`;
    const shown = async (query: Record<string, number>) => contentsOf(await list(path, query));
    for (const content of ['one', 'two', 'three']) {
      await say(chatId, content);
      if (content !== 'three') await note(chatId);
    }

    expect(await shown({ limit: 1 })).toEqual(['three']);
    expect(await shown({ limit: 2 })).toEqual(['three', 'two']);
    expect(await shown({ limit: 1, offset: 1 })).toEqual(['two']);
    expect(await shown({ limit: 2, offset: 1 })).toEqual(['two', 'one']);
    const counted = await list(path, { limit: 1, total_count: 'true' });
    expect(counted).toMatchObject({ messages: [{ content: 'three' }], totalCount: 3 });
  });

  it('omits tool sub-conversations and shows the agent’s tool calls', async () => {
    const chatId = await newChat();
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'handoff', arguments: '{}' } };
    const tokens = { promptTokens: 5, completionTokens: 2, cachedTokens: 0, totalTokens: 7 };
    const tokenUsage = { model: 'small', ...tokens, credits: 0.1 };
    const inner = { toolCallId: call.id, subConversationOf: call.id, content: '{"ok":true}' };
    await workspace.within(async (tx) => {
      await insertMessage(tx, {
        chatId,
        role: 'assistant',
        author: 'agent',
        content: null,
        toolCalls: [call],
        tokenUsage,
      });
      await insertMessage(tx, { chatId, role: 'tool', author: 'system', ...inner });
    });

    expect(await list(`/chats/${chatId}/messages`)).toEqual([
      expect.objectContaining({
        role: 'assistant',
        author: 'agent',
        content: null,
        tool_calls: [call],
        tokenUsage: expect.objectContaining({ totalTokens: 7 }),
      }),
    ]);
  });

  it.each([
    ['limit', 0],
    ['limit', 101],
    ['offset', -1],
    ['total_count', 'perhaps'],
  ])('refuses %s = %s', async (name, value) => {
    const answer = await asMember('GET', `/chats/${await newChat()}/messages`, undefined, { [name]: value });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([`/${name}`]);
  });
});

it('lists the whole transcript of an assignment, newest first, with its total on request', async () => {
  const chat = await newWalk();
  for (let number = 1; number <= 12; number += 1) await say(chat.id, `Message ${number}`);
  const path = `/assignments/${chat.assignmentId}/messages`;

  expect(await list(path)).toHaveLength(12);
  expect(await list(path, { limit: 1 })).toMatchObject([{ content: 'Message 12', role: 'user' }]);
  expect(await list(path, { total_count: 'true', limit: 5 })).toMatchObject({
    messages: expect.objectContaining({ length: 5 }),
    total: 12,
    totalCount: 12,
    totalPages: 3,
  });
});
