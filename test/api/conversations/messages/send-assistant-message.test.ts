import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertDelivery } from '../../../../db/channels/deliveries.js';
import { insertEmailOptOut } from '../../../../db/channels/email-opt-outs.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { Database } from '../../../../db/database.js';
import type { Tx } from '../../../../db/tx.js';
import { maxMessagesADay } from '../../../../domain/channels/outreach/gate.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { png } from '../../../support/files/samples.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi();

const newChat = async (body = {}): Promise<{ id: number; assignmentId: number }> =>
  (await asAdmin('POST', '/chats', { channel: 'web-chat', memberId: workspace.member.memberId, ...body }))
    .body;
const newSmsChat = async (body = {}) =>
  newChat({ channel: 'phone-sms', phoneNumberId: (await addPhoneNumber(workspace)).id, ...body });
const newEmailChat = async (body = {}) =>
  newChat({ channel: 'email', inboxId: (await addInbox(workspace)).id, ...body });
const answer = (chatId: number, body: object, headers: Record<string, string> = {}) =>
  api.request('POST', workspace.path(`/chats/${chatId}/send-assistant-message`), {
    apiKey: workspace.admin.apiKey,
    body,
    headers,
  });
const chatOf = async (chatId: number) => (await asAdmin('GET', `/chats/${chatId}`)).body;
const messagesOf = async (chatId: number) => (await asAdmin('GET', `/chats/${chatId}/messages`)).body;
const call = (name: string, input: object) => {
  return { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
};

describe('access to send-assistant-message', () => {
  let chatId: number;
  beforeAll(async () => {
    chatId = (await newChat()).id;
  });

  describeAccess({ api, workspace, otherWorkspace }, ['send-assistant-message'], () => {
    const path = `/chats/${chatId}/send-assistant-message`;
    const body = { message: 'Hello' };
    return [{ method: 'POST', path, scope: 'chats:admin', needsPermission: true, body, namesItem: true }];
  });
});

describe('POST send-assistant-message', () => {
  it('stores the message with its author and pauses the agent', async () => {
    const { id } = await newChat();

    const sent = await answer(id, { message: 'I will help you myself' });

    expect(sent).toMatchObject({ status: 201 });
    expect(sent.body).toEqual({
      success: true,
      message: {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        role: 'assistant',
        content: 'I will help you myself',
        timestamp: expect.any(String),
      },
      parts: [sent.body.message],
    });
    expect(await messagesOf(id)).toMatchObject([
      { id: sent.body.message.uuid, role: 'assistant', author: 'person', memberId: workspace.admin.memberId },
    ]);
    expect(await chatOf(id)).toMatchObject({ paused: true, pausedReason: 'operator_reply' });
  });

  it('clears needsResponse', async () => {
    const { id } = await newChat({ assistantEnabled: false });
    await asMember('POST', `/chats/${id}/messages`, { content: 'Anybody there?' });
    expect(await chatOf(id)).toMatchObject({ needsResponse: true });

    await answer(id, { message: 'Yes' });

    expect(await chatOf(id)).toMatchObject({ needsResponse: false, paused: false });
  });

  it('queues the message for delivery in an SMS chat', async () => {
    const { id } = await newSmsChat();

    expect(await answer(id, { message: 'A text' })).toMatchObject({ status: 201 });

    expect(await messagesOf(id)).toMatchObject([{ content: 'A text', smsDeliveryStatus: 'sent' }]);
  });

  it('sends once under an Idempotency-Key', async () => {
    const { id } = await newSmsChat();
    const headers = { 'Idempotency-Key': randomUUID() };

    const first = await answer(id, { message: 'Once' }, headers);
    const second = await answer(id, { message: 'Once' }, headers);

    expect(second.body).toEqual(first.body);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  it.each([
    ['no message', {}, '/message'],
    ['an empty message', { message: '' }, '/message'],
    ['a message of blanks', { message: ' \n' }, '/message'],
    ['tool calls that are no list', { message: 'Hi', tool_calls: {} }, '/tool_calls'],
    ['an unknown field', { message: 'Hi', role: 'system' }, '/role'],
  ])('refuses %s', async (_what, body, pointer) => {
    const refused = await answer((await newChat()).id, body);
    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toEqual([pointer]);
  });

  it('sends a long text in an SMS chat as several messages, in order, and answers with all of them', async () => {
    const { id } = await newSmsChat();
    const text = 'A sentence of some length. '.repeat(150).trim();

    const { status, body } = await answer(id, { message: text });

    expect(status).toBe(201);
    expect(body.message).toEqual(body.parts[0]);
    const contents = body.parts.map(({ content }: { content: string }) => content);
    expect(contents).toHaveLength(3);
    expect(contents.join(' ')).toBe(text);
    const queued = await workspace.within((tx) =>
      tx('deliveries').where({ chat_id: id }).orderBy('id').pluck('message_id'),
    );
    expect(queued.map(Number)).toEqual(body.parts.map((part: { id: number }) => part.id));
    expect(await chatOf(id)).toMatchObject({ paused: true, pausedReason: 'operator_reply' });
  });

  it('sends the files of a long text with its first message only', async () => {
    const { id } = await newSmsChat({
      phoneNumberId: (await addPhoneNumber(workspace, { mmsEnabled: true })).id,
    });
    const { id: fileId } = await addFile(workspace, createMemoryStore(), {
      filename: 'map.png',
      content: png(),
    });

    const { body } = await answer(id, { message: 'word '.repeat(400), files: [fileId] });

    const files = await workspace.within((tx) =>
      tx('messages').where({ chat_id: id }).orderBy('id').pluck('files'),
    );
    expect(files.map((of: unknown[]) => of.length)).toEqual([1, 0]);
    expect(body.parts).toHaveLength(2);
  });

  it('sends a long text in a web chat as one message', async () => {
    const { id } = await newChat();
    const { body } = await answer(id, { message: 'x'.repeat(5_000) });
    expect(body.parts).toEqual([{ ...body.message, content: 'x'.repeat(5_000) }]);
  });

  it('refuses a text that needs more than ten SMS, and stores nothing', async () => {
    const { id } = await newSmsChat();
    const { status, body } = await answer(id, { message: 'x'.repeat(16_001) });
    expect([status, ...pointersOf(body)]).toEqual([400, '/message']);
    expect(await messagesOf(id)).toEqual([]);
  });

  it('stores nothing of a long text if the day allows only a part of it', async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const { id } = await newSmsChat({ memberId: member.memberId });
    const sender = '+12025550100';
    const recipient = member.row.phone ?? '';
    await workspace.within(async (tx) => {
      for (let index = 0; index < maxMessagesADay - 1; index += 1) {
        const { id: messageId } = await insertMessage(tx, { chatId: id, role: 'assistant', author: 'agent' });
        const route = { channel: 'phone-sms', purpose: 'reply', sender, recipient } as const;
        await insertDelivery(tx, {
          chatId: id,
          messageId,
          ...route,
          expiresAt: new Date(),
          orderGroup: null,
        });
      }
    });
    const count = () => workspace.within(async (tx) => (await tx('messages').where({ chat_id: id })).length);
    const before = await count();

    const refused = await answer(id, { message: 'x'.repeat(1_700) });

    expect(refused).toMatchObject({ status: 400, body: { code: 'daily_cap' } });
    expect(await count()).toBe(before);
  });

  it('refuses a member without a phone number and changes nothing', async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const { id } = await newSmsChat({ memberId: member.memberId });
    await workspace.within((tx) => tx('members').where({ id: member.memberId }).update({ phone: null }));

    const refused = await answer(id, { message: 'Hello' });

    expect(refused).toMatchObject({ status: 400, body: { code: 'missing_phone' } });
    expect(await messagesOf(id)).toEqual([]);
    expect(await chatOf(id)).toMatchObject({ paused: false });
  });

  it('refuses a voice chat', async () => {
    const { id } = await newSmsChat();
    await workspace.within((tx) => tx('chats').where({ id }).update({ channel: 'phone-voice' }));

    const refused = await answer(id, { message: 'Hello' });

    expect(refused).toMatchObject({ status: 400, body: { code: 'unsupported_channel' } });
  });
});

describe('the tool calls of send-assistant-message', () => {
  it('run before the delivery, with the colleague as the actor', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const { id, assignmentId } = await newChat({ workflowId });
    const good = await taskUuid(assignmentId, 'Good');

    const tool_calls = [call('select_task', { task: good })];
    const sent = await answer(id, { message: 'Glad to hear it.', tool_calls });

    expect(sent).toMatchObject({ status: 201 });
    const { memberId } = workspace.admin;
    const called = [{ function: { name: 'select_task' } }];
    expect(await messagesOf(id)).toMatchObject([
      { role: 'assistant', content: 'Glad to hear it.', tool_calls: [] },
      { role: 'assistant', author: 'person', content: null, memberId, tool_calls: called },
    ]);
    expect((await asAdmin('GET', `/assignments/${assignmentId}`)).body).toMatchObject({
      status: 'completed',
      outcome: 'good',
    });
    const [visit] = await workspace.within((tx) =>
      tx('assignment_timeline_entries')
        .where({ assignment_id: assignmentId, kind: 'entered' })
        .orderBy('id', 'desc')
        .limit(1),
    );
    expect(visit).toMatchObject({ caused_by: 'operator', actor_member_id: memberId });
  });

  it.each([
    ['a tool that the chat does not offer', call('send_sms', { text: 'Hi' }), '/tool_calls/1/function/name'],
    ['arguments that do not fit', call('handoff', { why: 'x' }), '/tool_calls/1/function/arguments'],
    [
      'a task that may not be entered',
      call('select_task', { task: 'Closed' }),
      '/tool_calls/1/function/arguments',
    ],
  ])('are refused as a whole with %s', async (_what, wrong, pointer) => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const { id } = await newChat({ workflowId });

    const tool_calls = [call('handoff', { reason: 'first' }), wrong];
    const refused = await answer(id, { message: 'Not to be sent', tool_calls });

    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)[0]).toBe(pointer);
    expect(await messagesOf(id)).toEqual([]);
    expect(await chatOf(id)).toMatchObject({ paused: false, needsResponse: false });
  });
});

describe('tool calls and delivery are done together', () => {
  const followUp = call('schedule_follow_up', { after: 'P1D', instructions: 'Ask about the knee' });
  const effectsIn = async (id: number) => ({
    messages: (await messagesOf(id)).length,
    followUps: (await asAdmin('GET', `/chats/${id}/follow-ups`)).body.total,
    deliveries: (await workspace.within((tx) => tx('deliveries').where({ chat_id: id }))).length,
    emails: (await workspace.within((tx) => tx('emails').where({ chat_id: id }))).length,
    paused: (await chatOf(id)).paused,
  });
  const nothing = { messages: 0, followUps: 0, deliveries: 0, emails: 0, paused: false };
  const channels: [
    string,
    (body?: object) => Promise<{ id: number }>,
    { deliveries: number; emails: number },
  ][] = [
    ['SMS', newSmsChat, { deliveries: 1, emails: 0 }],
    ['web', newChat, { deliveries: 0, emails: 0 }],
    ['email', newEmailChat, { deliveries: 1, emails: 1 }],
  ];

  it.each(channels)(
    'once in a chat of the channel %s, however often the request is repeated under its key',
    async (_channel, open, sentBy) => {
      const { id } = await open();
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { message: 'We will come back to you.', tool_calls: [followUp] };

      const answers = await Promise.all(Array.from({ length: 4 }, () => answer(id, body, headers)));
      const last = await answer(id, body, headers);

      expect(last.status).toBe(201);
      for (const { status, body: got } of answers)
        expect(status === 201 ? got : 409).toEqual(status === 201 ? last.body : status);
      expect(await effectsIn(id)).toEqual({ messages: 2, followUps: 1, paused: true, ...sentBy });
    },
  );

  it.each(channels)(
    'or not at all in a chat of the channel %s, if the process dies before the commit',
    async (_channel, open) => {
      const { id } = await open();
      const context = workspace.context(workspace.admin);
      const dying = {
        identity: context.db.identity,
        inWorkspace: (workspaceId: number, work: (tx: Tx) => Promise<unknown>) =>
          context.db.inWorkspace(workspaceId, async (tx) => {
            await work(tx);
            throw new Error('the process dies');
          }),
      } as unknown as Database;
      const toolCalls = [followUp.function];

      const sent = sendAssistantMessage(
        { ...context, db: dying },
        { chatId: id, message: 'Lost', toolCalls },
      );

      await expect(sent).rejects.toThrow('dies');
      expect(await effectsIn(id)).toEqual(nothing);
    },
  );

  it('or not at all, if the delivery is refused after the tools have run', async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const { id } = await newSmsChat({ memberId: member.memberId });
    await workspace.within((tx) =>
      tx('members').where({ id: member.memberId }).update({ notify_sms: false }),
    );

    const refused = await answer(id, { message: 'Not to be sent', tool_calls: [followUp] });

    expect(refused).toMatchObject({ status: 400, body: { code: 'notifications_disabled' } });
    expect(await effectsIn(id)).toEqual(nothing);
  });

  it.each<[string, string, (of: { chatId: number; address: string }) => Promise<unknown>]>([
    [
      'has no address',
      'missing_email',
      ({ chatId }) =>
        workspace.within((tx) =>
          tx('members')
            .whereIn('id', tx('chats').where({ id: chatId }).select('member_id'))
            .update({ email: null }),
        ),
    ],
    [
      'has called an email spam',
      'opted_out',
      ({ address }) =>
        workspace.within((tx) =>
          insertEmailOptOut(tx, { recipient: address, optedOutAt: new Date(), source: 'complaint' }),
        ),
    ],
    [
      'writes to an inbox that is switched off',
      'missing_inbox',
      ({ chatId }) =>
        workspace.within((tx) =>
          tx('inboxes')
            .whereIn('id', tx('chats').where({ id: chatId }).select('inbox_id'))
            .update({ enabled: false }),
        ),
    ],
  ])('or not at all by email, if the member %s', async (_what, code, change) => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const { id } = await newEmailChat({ memberId: member.memberId });
    await change({ chatId: id, address: member.row.email ?? '' });

    const refused = await answer(id, { message: 'Not to be sent', tool_calls: [followUp] });

    expect(refused).toMatchObject({ status: 400, body: { code } });
    expect(await effectsIn(id)).toEqual(nothing);
  });

  it.each([
    ['a call without a function', { type: 'function' }, '/tool_calls/0/function'],
    ['a call of another type', { ...followUp, type: 'code' }, '/tool_calls/0/type'],
    [
      'arguments that are no text',
      { type: 'function', function: { name: 'handoff', arguments: {} } },
      '/tool_calls/0/function/arguments',
    ],
  ])('refuses %s', async (_what, wrong, pointer) => {
    const { id } = await newChat();
    const refused = await answer(id, { message: 'Hi', tool_calls: [wrong] });
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, [pointer]]);
  });
});

/** The uuid by which the agent’s tool names a task. */
async function taskUuid(assignmentId: number, name: string): Promise<string> {
  const [task] = await workspace.within((tx) =>
    tx('assignment_tasks as row')
      .join('workflow_tasks as task', 'task.id', 'row.task_id')
      .where({ 'row.assignment_id': assignmentId, 'task.name': name })
      .select('task.uuid'),
  );
  return task.uuid;
}
