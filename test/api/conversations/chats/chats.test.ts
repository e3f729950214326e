import { beforeAll, describe, expect, it } from 'vitest';
import { insertOptOut } from '../../../../db/channels/sms-opt-outs.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
  publishTwice,
} from '../../../support/workspace/definitions.js';
import { addMember, addMemberRow, createWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const unknownId = 987_654_321;
const create = (body: object = {}, as = asMember) => as('POST', '/chats', { channel: 'web-chat', ...body });
const simpleChat = async (as = asMember, body = {}) => (await create(body, as)).body;
const withoutPhone = () => addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, phone: null });
const expectRefused = (answer: Awaited<ReturnType<typeof create>>, pointer: string) =>
  expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);

describe('access to chats', () => {
  let chatId: number;
  beforeAll(async () => {
    chatId = (await simpleChat(asAdmin)).id;
  });

  describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update'], () => {
    const body = { channel: 'web-chat', memberId: workspace.admin.memberId };
    const one = `/chats/${chatId}`;
    const write = { scope: 'chats:write', needsPermission: true } as const;
    return [
      { method: 'GET', path: '/chats', scope: 'chats:read', needsPermission: false, namesItem: false },
      { ...write, method: 'POST', path: '/chats', body, namesItem: false },
      { method: 'GET', path: one, scope: 'chats:read', needsPermission: true, namesItem: true },
      { ...write, method: 'PUT', path: one, body: { muted: true }, namesItem: true },
    ];
  });
});

describe('creating a chat', () => {
  const unavailable = (name: 'voice' | 'email') => ({
    status: 400,
    body: {
      code: `${name}_unavailable`,
      detail: `/channel names ${name} chats, which are not available in this installation`,
      errors: [{ pointer: '/channel' }],
    },
  });

  it('creates a simple chat for the caller and returns every field', async () => {
    const { row, memberId } = workspace.member;
    const answer = await create({ title: 'Questions' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      archived: false,
      muted: false,
      channel: 'web-chat',
      chatType: 'simple',
      paused: false,
      pausedAt: null,
      pausedReason: null,
      needsResponse: false,
      assignmentId: null,
      workflowId: null,
      fromMessageId: null,
      phoneNumberId: null,
      inboxId: null,
      siteId: null,
      folderId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      title: 'Questions',
      summary: null,
      summaryUpdatedAt: null,
      lastMessageReceivedAt: null,
      messageCount: 0,
      participants: [{ name: row.name, role: 'user', memberId, memberType: 'human' }],
      canSendAsAssistant: false,
      labels: [],
      isTest: false,
    });
    expect((await asMember('GET', `/chats/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('creates the assignment of the workflow on its active revision', async () => {
    const { workflowId, revisionId } = await publishDefinition(workspace, conversationTasks());

    expect(await create({ workflowId })).toMatchObject({
      status: 201,
      body: {
        chatType: 'workflow',
        workflowId,
        workflowRevisionId: revisionId,
        assignmentId: expect.any(Number),
        currentTaskName: 'Ask',
      },
    });
  });

  it('allows tests and old revisions with the permission only', async () => {
    const revisions = await publishTwice(workspace, conversationTasks());
    const { workflowId, oldRevisionId, activeRevisionId } = revisions;

    const others = [oldRevisionId, unknownId].map((id) => ({ workflowRevisionId: id }));
    for (const body of [{ isTest: true }, ...others]) {
      const answer = await create({ workflowId, ...body });
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain('chats:write');
    }
    const usual = { isTest: false, workflowRevisionId: activeRevisionId };
    expect(await create({ workflowId, ...usual })).toMatchObject({ status: 201, body: usual });
    const colleague = await addMember(workspace, { permissions: ['chats:write'] });
    const own = { isTest: true, workflowRevisionId: oldRevisionId };
    expect(await create({ workflowId, ...own }, as(colleague))).toMatchObject({ status: 201, body: own });
  });

  it('adds an assistant as participant and shows its effective models', async () => {
    const place = await createWorkspace(workspace.database);
    const { memberId } = await createAssistant(place.context(), {
      name: 'Helper',
      instructions: 'Be kind.',
      isDefault: true,
      chatModelId: 'openai:chat:gpt-4.1-nano',
    });

    const models = { assistantChatModelId: 'openai:chat:gpt-4.1' };
    const chat = await simpleChat(callAs(api, place, place.admin), models);

    const shown = { name: 'Helper', memberId, memberType: 'assistant', chatModel: 'openai:chat:gpt-4.1' };
    expect(chat.participants).toMatchObject([{ role: 'user' }, { ...shown, role: 'assistant' }]);
  });

  it('adds participants as contributors by default', async () => {
    const one = await addMember(workspace, { role: workspace.roles.member });
    const two = await addMember(workspace, { role: workspace.roles.member });
    const participants = [{ memberId: one.memberId }, { memberId: two.memberId, role: 'operator' }];

    const chat = await simpleChat(asAdmin, { participants });

    expect(chat.participants.slice(1)).toMatchObject([
      { memberId: one.memberId, role: 'contributor' },
      { memberId: two.memberId, role: 'operator' },
    ]);
    expect((await as(one)('GET', `/chats/${chat.id}`)).status).toBe(200);
  });

  it('uses the SMS number of the workflow unless the request names another', async () => {
    const number = await addPhoneNumber(workspace);
    const another = await addPhoneNumber(workspace);
    const { workflowId } = await publishDefinition(workspace, conversationTasks(), {
      defaultPhoneNumberId: number.id,
    });

    const usual = await simpleChat(asMember, { channel: 'phone-sms', workflowId });
    const named = await simpleChat(asMember, { channel: 'phone-sms', workflowId, phoneNumberId: another.id });

    expect([usual.phoneNumberId, named.phoneNumberId]).toEqual([number.id, another.id]);
  });

  it('makes the creator the owner, with read access', async () => {
    const starter = await addMember(workspace, { permissions: ['chats:write'] });
    const asStarter = as(starter);

    const chat = await simpleChat(asStarter, { memberId: workspace.member.memberId });

    expect((await asStarter('GET', `/chats/${chat.id}`)).status).toBe(200);
    const listed = (await asStarter('GET', '/chats')).body.items;
    expect(listed).toContainEqual(expect.objectContaining({ id: chat.id }));
  });

  const sms = { channel: 'phone-sms', phoneNumberId: 1 };
  const byPerson = { assistantEnabled: false };
  const chatModel = '/assistantChatModelId';
  it.each([
    ['no channel', { channel: undefined }, '/channel'],
    ['an unknown channel', { channel: 'fax' }, '/channel'],
    ['an unknown field', { colour: 'red' }, '/colour'],
    ['SMS without a number', { channel: 'phone-sms' }, '/phoneNumberId'],
    ['a number that does not exist', { channel: 'phone-sms', phoneNumberId: unknownId }, '/phoneNumberId'],
    ['a number on web chat', { phoneNumberId: unknownId }, '/phoneNumberId'],
    ['number and inbox', { ...sms, inboxId: 1 }, '/inboxId'],
    ['an inbox that does not exist', { channel: 'email', inboxId: unknownId }, '/inboxId'],
    ['a realtime model for text', { assistantChatModelId: 'openai:realtime:gpt-realtime' }, chatModel],
    ['a model that is no id', { assistantRealtimeModelId: 'voice' }, '/assistantRealtimeModelId'],
    ['a model that the catalogue does not have', { assistantChatModelId: 'openai:chat:never' }, chatModel],
    ['a site of nobody', { siteId: 999_999_999 }, '/siteId'],
    ['a revision without a workflow', { workflowRevisionId: 1 }, '/workflowRevisionId'],
    ['an initial message on web chat', { initialMessage: 'Hi' }, '/initialMessage'],
    ['an initial message beside those of the agent', { ...sms, initialMessage: 'Hi' }, '/initialMessage'],
    ['a blank initial message', { ...sms, ...byPerson, initialMessage: '  ' }, '/initialMessage'],
    ['an unknown role', { participants: [{ memberId: 1, role: 'king' }] }, '/participants/0/role'],
  ])('refuses %s', async (_what, body, pointer) => {
    expectRefused(await create(body, asAdmin), pointer);
  });

  it('rejects participants without the permission and does not reveal whether they exist', async () => {
    const name = (memberId: number, role?: string) => create({ participants: [{ memberId, role }] });

    for (const id of [workspace.admin.memberId, unknownId]) {
      expect(await name(id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((await name(id, 'operator')).status).toBe(403);
      expect((await name(id, 'assistant')).status).toBe(404);
    }
  });

  it('allows every caller to name an assistant, only assistants in that role, and none as the member', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Helper', instructions: '' });
    const named = (id: number) => ({ participants: [{ memberId: id, role: 'assistant' }] });

    expect((await create(named(memberId))).body.participants).toContainEqual(
      expect.objectContaining({ memberId, role: 'assistant', memberType: 'assistant' }),
    );
    expectRefused(await create(named(workspace.member.memberId), asAdmin), '/participants/0/role');
    expectRefused(await create({ memberId }, asAdmin), '/memberId');
  });

  it('takes a participant as a plain id, which has the role contributor', async () => {
    const { memberId } = await addMember(workspace);
    const answer = await create({ participants: [memberId] }, asAdmin);
    expect(answer.status).toBe(201);
    expect(answer.body.participants).toContainEqual(
      expect.objectContaining({ memberId, role: 'contributor' }),
    );
    expect((await create({ participants: [workspace.admin.memberId] })).status).toBe(403);
    expectRefused(await create({ participants: ['one'] }, asAdmin), '/participants/0');
  });

  it('refuses a participant that takes part already', async () => {
    const answer = await create({ participants: [{ memberId: workspace.member.memberId }] });
    expectRefused(answer, '/participants/0/memberId');
    expect(answer.body.code).toBe('duplicate_participant');
  });

  it.each([
    ['by the agent of a workflow', { withWorkflow: true }],
    ['without a workflow', { withWorkflow: false }],
    ['by a person', { withWorkflow: true, assistantEnabled: false }],
  ])('refuses a voice chat %s with its own error code', async (_kind, { withWorkflow, ...options }) => {
    const { id: phoneNumberId } = await addPhoneNumber(workspace);
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const workflow = withWorkflow ? { workflowId } : {};

    const answer = await create({ channel: 'phone-voice', phoneNumberId, ...workflow, ...options });

    expect(answer).toMatchObject(unavailable('voice'));
  });

  it.each([
    ['by the agent', {}, '/inboxId'],
    ['by the agent with a first message', { initialMessage: 'Hi' }, '/initialMessage'],
    ['by a person without a first message', { assistantEnabled: false }, '/inboxId'],
  ])('refuses an email chat %s in a workspace without an inbox', async (_kind, options, pointer) => {
    const answer = await create({ channel: 'email', ...options });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([pointer]);
    if (pointer === '/inboxId') expect(answer.body.code).toBe('missing_inbox');
  });

  it('refuses an agent over SMS for a member without a phone', async () => {
    const number = await addPhoneNumber(workspace);
    const body = { channel: 'phone-sms', phoneNumberId: number.id, memberId: (await withoutPhone()).id };
    expectRefused(await create(body, asAdmin), '/memberId');
  });

  it.each([
    ['workflow', { workflowId: unknownId }],
    ['member', { memberId: unknownId }],
    ['assistant member', { assistantMemberId: unknownId }],
    ['participant', { participants: [{ memberId: unknownId }] }],
  ])('returns 404 for an unknown %s', async (_what, body) => {
    expect(await create(body, asAdmin)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('returns 404 for a workflow of another workspace, and 403 for one that the role may not use', async () => {
    const foreign = await publishDefinition(otherWorkspace, conversationTasks());
    const ofAdmins = { roleIds: [workspace.roles.admin.id] };
    const { workflowId } = await publishDefinition(workspace, conversationTasks(), ofAdmins);
    expect((await create({ workflowId: foreign.workflowId }, asAdmin)).status).toBe(404);
    expect(await create({ workflowId })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('the initial message of a chat', () => {
  const written = { assistantEnabled: false, initialMessage: 'Hello from the desk' };
  const write = async (memberId: number, more = {}) => {
    const { id: phoneNumberId } = await addPhoneNumber(workspace);
    return simpleChat(asAdmin, { channel: 'phone-sms', memberId, phoneNumberId, ...written, ...more });
  };
  const messagesOf = async ({ id }: { id: number }) => (await asAdmin('GET', `/chats/${id}/messages`)).body;

  it('is sent by the person who wrote it', async () => {
    const chat = await write(workspace.member.memberId);

    expect(chat).toMatchObject({ messageCount: 1 });
    expect(chat).not.toHaveProperty('initialMessageError');
    const { memberId } = workspace.admin;
    expect(await messagesOf(chat)).toMatchObject([
      { role: 'assistant', content: 'Hello from the desk', memberId, smsDeliveryStatus: 'sent' },
    ]);
  });

  it('is sent in a chat with a workflow too', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());

    const chat = await write(workspace.member.memberId, { workflowId });

    expect(chat).toMatchObject({ assignmentId: expect.any(Number), messageCount: 1 });
  });

  it('keeps the chat and reports missing_inbox for email', async () => {
    const { memberId } = workspace.member;
    const answer = await create({ channel: 'email', memberId, ...written }, asAdmin);

    expect(answer).toMatchObject({
      status: 201,
      body: { channel: 'email', inboxId: null, initialMessageError: 'missing_inbox', messageCount: 1 },
    });
    const failed = { smsDeliveryStatus: 'failed', smsDeliveryFailureReason: 'missing_inbox' };
    expect(await messagesOf(answer.body)).toMatchObject([{ content: 'Hello from the desk', ...failed }]);
  });

  it('keeps the chat and reports the reason if the member cannot be reached', async () => {
    const chat = await write((await withoutPhone()).id);
    expect(chat).toMatchObject({ initialMessageError: 'missing_phone' });
  });

  it('shows in each of the messages that a long text became that the member cannot be reached', async () => {
    const chat = await write((await withoutPhone()).id, { initialMessage: 'word '.repeat(700) });
    expect(chat).toMatchObject({ initialMessageError: 'missing_phone', messageCount: 3 });
    const failed = { smsDeliveryStatus: 'failed', smsDeliveryFailureReason: 'missing_phone' };
    expect(await messagesOf(chat)).toMatchObject([failed, failed, failed]);
  });

  it('keeps the chat and reports the reason if the member has opted out', async () => {
    const number = await addPhoneNumber(workspace);
    const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
    const ends = { recipient: row.phone ?? '', sender: number.number };
    await workspace.within((tx) => insertOptOut(tx, { ...ends, optedOutAt: new Date(), source: 'keyword' }));

    const chat = await write(memberId, { phoneNumberId: number.id });

    expect(chat).toMatchObject({ initialMessageError: 'opted_out' });
    const failed = { smsDeliveryStatus: 'failed', smsDeliveryFailureReason: 'opted_out' };
    expect(await messagesOf(chat)).toMatchObject([failed]);
  });
});

describe('getting a chat', () => {
  it('shows whether the caller may send as the assistant', async () => {
    expect((await asAdmin('GET', `/chats/${(await simpleChat()).id}`)).body.canSendAsAssistant).toBe(true);
  });

  it.each([unknownId, '99999999999999999999'])('returns 404 for chat %s', async (id) => {
    expect((await asAdmin('GET', `/chats/${id}`)).status).toBe(404);
  });
});
