import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { findMessage, insertMessage, type MessageRow } from '../../../../db/conversations/messages.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const newChat = async (): Promise<number> =>
  (await asMember('POST', '/chats', { channel: 'web-chat' })).body.id;
const write = (chatId: number, role: 'assistant' | 'user' | 'system' = 'assistant'): Promise<MessageRow> =>
  workspace.within((tx) =>
    insertMessage(tx, { chatId, role, author: role === 'user' ? 'member' : 'agent', content: 'Hello' }),
  );
const pathOf = (chatId: number, uuid: string) => `/chats/${chatId}/messages/${uuid}/rate`;
const ratingOf = async ({ id }: MessageRow) => {
  const row = await workspace.within((tx) => findMessage(tx, id));
  return { rating: row?.userRating, comment: row?.userRatingComment };
};

describe('access to ratings', () => {
  let path: string;
  beforeAll(async () => {
    const { id } = (await asAdmin('POST', '/chats', { channel: 'web-chat' })).body;
    path = pathOf(id, (await write(id)).uuid);
  });

  describeAccess({ api, workspace, otherWorkspace }, ['rate'], () => [
    {
      method: 'POST',
      path,
      scope: 'chats:write',
      needsPermission: true,
      body: { rating: 1 },
      namesItem: true,
    },
  ]);
});

describe('rating a message', () => {
  it('stores the rating and the comment, which the list of messages has', async () => {
    const chatId = await newChat();
    const message = await write(chatId);

    const answer = await asMember('POST', pathOf(chatId, message.uuid), {
      rating: 1,
      comment: 'That helped',
    });

    expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await asMember('GET', `/chats/${chatId}/messages`)).body).toMatchObject([
      { id: message.uuid, userRating: 1, userRatingComment: 'That helped' },
    ]);
  });

  it('replaces an earlier rating with its comment', async () => {
    const chatId = await newChat();
    const message = await write(chatId);
    await asMember('POST', pathOf(chatId, message.uuid), { rating: 1, comment: 'That helped' });

    await asMember('POST', pathOf(chatId, message.uuid), { rating: 0 });

    expect(await ratingOf(message)).toEqual({ rating: 0, comment: null });
  });

  it('keeps one whole rating of twenty at once', async () => {
    const chatId = await newChat();
    const message = await write(chatId);
    const rated = Array.from({ length: 20 }, (_, index) => ({
      rating: index % 2,
      comment: `comment ${index % 2}`,
    }));

    const answers = await Promise.all(
      rated.map((body) => asMember('POST', pathOf(chatId, message.uuid), body)),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(rated).toContainEqual(await ratingOf(message));
  });

  it('is open to participants of the chat, and to colleagues with chats:write', async () => {
    const chatId = await newChat();
    const message = await write(chatId);
    const participant = await addMember(workspace);
    const stranger = await addMember(workspace);
    await asAdmin('POST', `/chats/${chatId}/participants`, { memberId: participant.memberId });

    const rate = (caller: typeof asMember) => caller('POST', pathOf(chatId, message.uuid), { rating: 1 });

    expect((await rate(as(participant))).status).toBe(200);
    expect((await rate(asAdmin)).status).toBe(200);
    expect(await rate(as(stranger))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it.each(['user', 'system'] as const)('refuses a message with the role %s', async (role) => {
    const chatId = await newChat();
    const message = await write(chatId, role);

    const answer = await asMember('POST', pathOf(chatId, message.uuid), { rating: 1 });

    expect(answer).toMatchObject({ status: 400, body: { code: 'not_an_assistant_message' } });
    expect(await ratingOf(message)).toEqual({ rating: null, comment: null });
  });

  it('finds no message of another chat, and none that does not exist', async () => {
    const message = await write(await newChat());
    const chatId = await newChat();

    for (const uuid of [message.uuid, randomUUID()]) {
      const answer = await asMember('POST', pathOf(chatId, uuid), { rating: 1 });
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it.each([
    ['no rating', { comment: 'Good' }, '/rating'],
    ['a rating between', { rating: 0.5 }, '/rating'],
    ['a rating as text', { rating: '1' }, '/rating'],
    ['an empty comment', { rating: 1, comment: '' }, '/comment'],
    ['a comment of 2,001 characters', { rating: 1, comment: 'x'.repeat(2_001) }, '/comment'],
    ['an unknown field', { rating: 1, stars: 5 }, '/stars'],
  ])('refuses %s', async (_, body, pointer) => {
    const chatId = await newChat();
    const message = await write(chatId);

    const answer = await asMember('POST', pathOf(chatId, message.uuid), body);

    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(new Set(pointersOf(answer.body))).toEqual(new Set([pointer]));
  });
});

describe('the messages of a tool call', () => {
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'conclude', arguments: '{}' } };
  let chatId: number;
  beforeAll(async () => {
    chatId = await newChat();
    await workspace.within(async (tx) => {
      const agent = { chatId, role: 'assistant', author: 'agent' } as const;
      const tool = { chatId, role: 'tool', author: 'system', toolCallId: 'call_1' } as const;
      await insertMessage(tx, { ...agent, content: null, toolCalls: [call] });
      await insertMessage(tx, { ...agent, content: 'inner', subConversationOf: 'call_1' });
      await insertMessage(tx, { ...agent, content: 'inner of another', subConversationOf: 'call_2' });
      await insertMessage(tx, { ...tool, content: 'done' });
    });
  });
  const pathOfCall = (callId: string, chat = chatId) => `/chats/${chat}/tool-calls/${callId}/messages`;
  const contentsOf = (messages: { content: string }[]) => messages.map(({ content }) => content);

  it('are its result and its inner conversation, newest first', async () => {
    const { status, body } = await asAdmin('GET', pathOfCall('call_1'));

    expect(status).toBe(200);
    expect(body).toMatchObject([
      { role: 'system', content: 'done', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'inner' },
    ]);
  });

  it('come in parts', async () => {
    const part = async (query: Record<string, number>) =>
      contentsOf((await asAdmin('GET', pathOfCall('call_1'), undefined, query)).body);

    expect(await part({ limit: 1 })).toEqual(['done']);
    expect(await part({ limit: 1, offset: 1 })).toEqual(['inner']);
    expect(await part({ offset: 2 })).toEqual([]);
  });

  it('leave out the result for the member of the chat', async () => {
    expect(contentsOf((await asMember('GET', pathOfCall('call_1'))).body)).toEqual(['inner']);
  });

  it('are 404 for a call that the chat does not have', async () => {
    const other = await newChat();
    for (const path of [pathOfCall('call_3'), pathOfCall('call_1', other)]) {
      expect(await asAdmin('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('are closed to members that do not take part, and refuse wrong parts', async () => {
    expect((await as(await addMember(workspace))('GET', pathOfCall('call_1'))).status).toBe(403);
    for (const query of [{ limit: 0 }, { limit: 1_001 }, { offset: -1 }]) {
      const answer = await asAdmin('GET', pathOfCall('call_1'), undefined, query);
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  });
});
