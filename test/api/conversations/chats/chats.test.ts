import { beforeAll, describe, expect, it } from 'vitest';
import { insertOptOut } from '../../../../db/channels/sms-opt-outs.js';
import { insertChat } from '../../../../db/conversations/chats.js';
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
import {
  addMember,
  addMemberRow,
  createWorkspace,
  type TestWorkspace,
} from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const unknownId = 987_654_321;
const simpleChat = async (as = asMember, body = {}) =>
  (await as('POST', '/chats', { channel: 'web-chat', ...body })).body;

describe('access to chats', () => {
  let chatId: number;
  beforeAll(async () => {
    chatId = (await simpleChat(asAdmin)).id;
  });

  describeAccess(
    () => ({ api, workspace, otherWorkspace }),
    ['list', 'create', 'get', 'update'],
    () => {
      const body = { channel: 'web-chat', memberId: workspace.admin.memberId };
      const one = `/chats/${chatId}`;
      return [
        { method: 'GET', path: '/chats', scope: 'chats:read', writes: false, namesItem: false },
        { method: 'POST', path: '/chats', scope: 'chats:write', writes: true, body, namesItem: false },
        { method: 'GET', path: one, scope: 'chats:read', writes: true, namesItem: true },
        {
          method: 'PUT',
          path: one,
          scope: 'chats:write',
          writes: true,
          body: { muted: true },
          namesItem: true,
        },
      ];
    },
  );
});

describe('creating a chat', () => {
  it('creates a simple chat for the caller and returns every field', async () => {
    const answer = await asMember('POST', '/chats', { channel: 'web-chat', title: 'Questions' });

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
      participants: [
        {
          name: workspace.member.row.name,
          role: 'user',
          memberId: workspace.member.memberId,
          memberType: 'human',
        },
      ],
      canSendAsAssistant: false,
      labels: [],
      isTest: false,
    });
    expect((await asMember('GET', `/chats/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('creates the assignment of the workflow on its active revision', async () => {
    const { workflowId, revisionId } = await publishDefinition(workspace, conversationTasks());

    const answer = await asMember('POST', '/chats', { channel: 'web-chat', workflowId });

    expect(answer).toMatchObject({
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
    const create = (body: object, as = asMember) =>
      as('POST', '/chats', { channel: 'web-chat', workflowId, ...body });

    const refused = [
      { isTest: true },
      { workflowRevisionId: oldRevisionId },
      { workflowRevisionId: unknownId },
    ];
    for (const body of refused) {
      const answer = await create(body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain('chats:write');
    }
    expect(await create({ isTest: false, workflowRevisionId: activeRevisionId })).toMatchObject({
      status: 201,
      body: { isTest: false, workflowRevisionId: activeRevisionId },
    });
    const colleague = await addMember(workspace, { permissions: ['chats:write'] });
    const own = { isTest: true, workflowRevisionId: oldRevisionId };
    expect(await create(own, as(colleague))).toMatchObject({
      status: 201,
      body: own,
    });
  });

  it('adds an assistant as participant and shows its effective models', async () => {
    const place = await createWorkspace(workspace.database);
    const assistant = await createAssistant(place.context(), {
      name: 'Helper',
      instructions: 'Be kind.',
      isDefault: true,
      chatModelId: 'openai:chat:gpt-4.1-nano',
    });

    const chat = await simpleChat(callAs(api, place, place.admin), {
      assistantChatModelId: 'openai:chat:gpt-4.1',
    });

    expect(chat.participants).toMatchObject([
      { role: 'user' },
      {
        name: 'Helper',
        role: 'assistant',
        memberId: assistant.memberId,
        memberType: 'assistant',
        chatModel: 'openai:chat:gpt-4.1',
      },
    ]);
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
    expect((await asStarter('GET', '/chats')).body.items.map(({ id }: { id: number }) => id)).toContain(
      chat.id,
    );
  });

  it.each([
    ['no channel', {}, ['/channel']],
    ['an unknown channel', { channel: 'fax' }, ['/channel']],
    ['an unknown field', { channel: 'web-chat', colour: 'red' }, ['/colour']],
    ['SMS without a number', { channel: 'phone-sms' }, ['/phoneNumberId']],
    ['a number that does not exist', { channel: 'phone-sms', phoneNumberId: unknownId }, ['/phoneNumberId']],
    ['a number on web chat', { channel: 'web-chat', phoneNumberId: unknownId }, ['/phoneNumberId']],
    ['number and inbox', { channel: 'phone-sms', phoneNumberId: 1, inboxId: 1 }, ['/inboxId']],
    ['an inbox, as there is none', { channel: 'email', inboxId: 1 }, ['/inboxId']],
    [
      'a model that is of another type',
      { channel: 'web-chat', assistantChatModelId: 'openai:realtime:gpt-realtime' },
      ['/assistantChatModelId'],
    ],
    [
      'a model that is no id',
      { channel: 'web-chat', assistantRealtimeModelId: 'voice' },
      ['/assistantRealtimeModelId'],
    ],
    [
      'a model that the catalogue does not have',
      { channel: 'web-chat', assistantChatModelId: 'openai:chat:never' },
      ['/assistantChatModelId'],
    ],
    ['a site, as there is none', { channel: 'web-chat', siteId: 1 }, ['/siteId']],
    [
      'a revision without a workflow',
      { channel: 'web-chat', workflowRevisionId: 1 },
      ['/workflowRevisionId'],
    ],
    ['an initial message on web chat', { channel: 'web-chat', initialMessage: 'Hi' }, ['/initialMessage']],
    [
      'an initial message that would speak beside the agent',
      { channel: 'phone-sms', phoneNumberId: 1, initialMessage: 'Hi' },
      ['/initialMessage'],
    ],
    [
      'a blank initial message',
      { channel: 'phone-sms', phoneNumberId: 1, assistantEnabled: false, initialMessage: '  ' },
      ['/initialMessage'],
    ],
    [
      'a participant with a role that does not exist',
      { channel: 'web-chat', participants: [{ memberId: 1, role: 'king' }] },
      ['/participants/0/role'],
    ],
  ])('refuses %s', async (_what, body, pointers) => {
    const answer = await asAdmin('POST', '/chats', body);

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(pointers);
  });

  it('rejects participants without the permission and does not reveal whether they exist', async () => {
    const create = (memberId: number, role?: string) =>
      asMember('POST', '/chats', { channel: 'web-chat', participants: [{ memberId, role }] });
    const { memberId } = workspace.admin;

    for (const id of [memberId, unknownId]) {
      expect(await create(id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((await create(id, 'operator')).status).toBe(403);
      expect((await create(id, 'assistant')).status).toBe(404);
    }
  });

  it('allows every caller to name an assistant, and only assistants in that role', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Helper', instructions: '' });
    const named = (id: number) => ({
      channel: 'web-chat',
      participants: [{ memberId: id, role: 'assistant' }],
    });

    expect((await asMember('POST', '/chats', named(memberId))).body.participants).toContainEqual(
      expect.objectContaining({ memberId, role: 'assistant', memberType: 'assistant' }),
    );
    const human = await asAdmin('POST', '/chats', named(workspace.member.memberId));
    expect([human.status, pointersOf(human.body)]).toEqual([400, ['/participants/0/role']]);
  });

  it('refuses an assistant as the member of the chat', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Helper', instructions: '' });

    const answer = await asAdmin('POST', '/chats', { channel: 'web-chat', memberId });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/memberId']]);
  });

  it('refuses a participant that takes part already', async () => {
    const participants = [{ memberId: workspace.member.memberId }];

    const answer = await asMember('POST', '/chats', { channel: 'web-chat', participants });

    expect(answer).toMatchObject({ status: 400, body: { code: 'duplicate_participant' } });
    expect(pointersOf(answer.body)).toEqual(['/participants/0/memberId']);
  });

  it.each([
    ['by the agent of a workflow', { withWorkflow: true }],
    ['without a workflow', { withWorkflow: false }],
    ['by a person', { withWorkflow: true, assistantEnabled: false }],
  ])('refuses a voice chat %s with its own error code', async (_kind, { withWorkflow, ...options }) => {
    const number = await addPhoneNumber(workspace);
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const workflow = withWorkflow ? { workflowId } : {};
    const body = { channel: 'phone-voice', phoneNumberId: number.id, ...workflow, ...options };

    const answer = await asMember('POST', '/chats', body);

    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'voice_unavailable',
        detail: '/channel names voice chats, which are not available in this version',
        errors: [{ pointer: '/channel' }],
      },
    });
  });

  it.each([
    ['by the agent', {}],
    ['by the agent with a first message', { initialMessage: 'Hi' }],
    ['by a person without a first message', { assistantEnabled: false }],
  ])('refuses an email chat %s with its own error code', async (_kind, options) => {
    const answer = await asMember('POST', '/chats', { channel: 'email', ...options });

    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'email_unavailable',
        detail: '/channel names email chats, which are not available in this version',
        errors: [{ pointer: '/channel' }],
      },
    });
  });

  it('refuses an agent over SMS for a member without a phone', async () => {
    const number = await addPhoneNumber(workspace);
    const silent = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, phone: null });
    const body = { channel: 'phone-sms', phoneNumberId: number.id, memberId: silent.id };

    const answer = await asAdmin('POST', '/chats', body);

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(['/memberId']);
  });

  it.each([
    ['workflow', { workflowId: unknownId }],
    ['member', { memberId: unknownId }],
    ['assistant member', { assistantMemberId: unknownId }],
    ['participant', { participants: [{ memberId: unknownId }] }],
  ])('returns 404 for an unknown %s', async (_what, body) => {
    const answer = await asAdmin('POST', '/chats', { channel: 'web-chat', ...body });

    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('returns 404 for a workflow of another workspace', async () => {
    const { workflowId } = await publishDefinition(otherWorkspace, conversationTasks());

    const answer = await asAdmin('POST', '/chats', { channel: 'web-chat', workflowId });

    expect(answer.status).toBe(404);
  });

  it('refuses a workflow that the role may not use', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks(), {
      roleIds: [workspace.roles.admin.id],
    });

    const answer = await asMember('POST', '/chats', { channel: 'web-chat', workflowId });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('the initial message of a chat', () => {
  const write = async (memberId: number, phoneNumberId: number, more = {}) =>
    (
      await asAdmin('POST', '/chats', {
        channel: 'phone-sms',
        memberId,
        phoneNumberId,
        assistantEnabled: false,
        initialMessage: 'Hello from the desk',
        ...more,
      })
    ).body;

  it('is sent by the person who wrote it', async () => {
    const number = await addPhoneNumber(workspace);

    const chat = await write(workspace.member.memberId, number.id);

    expect(chat).toMatchObject({ messageCount: 1 });
    expect(chat).not.toHaveProperty('initialMessageError');
    expect((await asAdmin('GET', `/chats/${chat.id}/messages`)).body).toMatchObject([
      {
        role: 'assistant',
        content: 'Hello from the desk',
        memberId: workspace.admin.memberId,
        smsDeliveryStatus: 'sent',
      },
    ]);
  });

  it('is sent in a chat with a workflow too', async () => {
    const number = await addPhoneNumber(workspace);
    const { workflowId } = await publishDefinition(workspace, conversationTasks());

    const chat = await write(workspace.member.memberId, number.id, { workflowId });

    expect(chat).toMatchObject({ assignmentId: expect.any(Number), messageCount: 1 });
  });

  it('keeps the chat and reports missing_inbox for email', async () => {
    const answer = await asAdmin('POST', '/chats', {
      channel: 'email',
      memberId: workspace.member.memberId,
      assistantEnabled: false,
      initialMessage: 'Hello from the desk',
    });

    expect(answer).toMatchObject({
      status: 201,
      body: { channel: 'email', inboxId: null, initialMessageError: 'missing_inbox', messageCount: 1 },
    });
    const messages = (await asAdmin('GET', `/chats/${answer.body.id}/messages`)).body;
    expect(messages).toMatchObject([
      {
        content: 'Hello from the desk',
        smsDeliveryStatus: 'failed',
        smsDeliveryFailureReason: 'missing_inbox',
      },
    ]);
  });

  it('keeps the chat and reports the reason if the member cannot be reached', async () => {
    const number = await addPhoneNumber(workspace);
    const silent = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, phone: null });

    expect(await write(silent.id, number.id)).toMatchObject({ initialMessageError: 'missing_phone' });
  });

  it('keeps the chat and reports the reason if the member has opted out', async () => {
    const number = await addPhoneNumber(workspace);
    const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      insertOptOut(tx, {
        recipient: row.phone ?? '',
        sender: number.number,
        optedOutAt: new Date(),
        source: 'keyword',
      }),
    );

    const chat = await write(memberId, number.id);

    expect(chat).toMatchObject({ initialMessageError: 'opted_out' });
    expect((await asAdmin('GET', `/chats/${chat.id}/messages`)).body).toMatchObject([
      { smsDeliveryStatus: 'failed', smsDeliveryFailureReason: 'opted_out' },
    ]);
  });
});

describe('listing chats', () => {
  it('returns the caller’s own chats only without the read permission', async () => {
    const place = await createWorkspace(workspace.database);
    const own = await simpleChat(callAs(api, place, place.member));
    const others = await simpleChat(callAs(api, place, place.admin));
    const idsFor = async (who: TestWorkspace['admin']) =>
      (await callAs(api, place, who)('GET', '/chats')).body.items.map(({ id }: { id: number }) => id);

    expect(await idsFor(place.member)).toEqual([own.id]);
    expect(await idsFor(place.admin)).toEqual([others.id, own.id]);
  });

  it('filters, sorts and paginates', async () => {
    const place = await createWorkspace(workspace.database);
    const as = callAs(api, place, place.admin);
    const number = await addPhoneNumber(place);
    const first = await simpleChat(as);
    const text = await simpleChat(as, { channel: 'phone-sms', phoneNumberId: number.id });
    const others = await simpleChat(as, { memberId: place.member.memberId });
    await as('PUT', `/chats/${first.id}`, { archived: true });
    const found = async (query: Record<string, string | number>) =>
      (await as('GET', '/chats', undefined, query)).body;
    const ids = async (query: Record<string, string | number>) =>
      (await found(query)).items.map(({ id }: { id: number }) => id);

    expect(await ids({ channel: 'phone-sms' })).toEqual([text.id]);
    expect(await ids({ archived: 'true' })).toEqual([first.id]);
    expect(await ids({ archived: 'false', sortBy: 'createdAt', sortOrder: 'asc' })).toEqual([
      text.id,
      others.id,
    ]);
    expect(await ids({ memberId: place.member.memberId })).toEqual([others.id]);
    expect(await ids({ needsResponse: 'true' })).toEqual([]);
    expect(await found({ pageSize: 2, page: 2, sortOrder: 'asc' })).toMatchObject({
      items: [{ id: others.id }],
      total: 3,
      page: 2,
      pageSize: 2,
      totalPages: 2,
    });
  });

  it.each(['channel', 'archived', 'sortBy', 'pageSize', 'memberId'])(
    'refuses an invalid %s',
    async (name) => {
      const answer = await asAdmin('GET', '/chats', undefined, { [name]: 'nonsense' });

      expect(answer.status).toBe(400);
      expect(pointersOf(answer.body)).toEqual([`/${name}`]);
    },
  );
});

describe('getting a chat', () => {
  it('shows whether the caller may send as the assistant', async () => {
    const chat = await simpleChat();

    expect((await asAdmin('GET', `/chats/${chat.id}`)).body.canSendAsAssistant).toBe(true);
  });

  it.each([unknownId, '99999999999999999999'])('returns 404 for chat %s', async (id) => {
    expect((await asAdmin('GET', `/chats/${id}`)).status).toBe(404);
  });
});

describe('changing a chat', () => {
  const update = (chatId: number, body: object, as = asMember) => as('PUT', `/chats/${chatId}`, body);

  it('sets the given fields and keeps the rest', async () => {
    const chat = await simpleChat(asMember, { title: 'One' });

    const answer = await update(chat.id, { title: null, muted: true, archived: true }, asAdmin);

    expect(answer).toMatchObject({
      status: 200,
      body: { title: null, muted: true, archived: true, paused: false },
    });
    expect((await update(chat.id, {})).body).toMatchObject({ muted: true, archived: true });
  });

  it('pauses with a time and a reason, and clears both on resume', async () => {
    const chat = await simpleChat();

    const paused = await update(chat.id, { paused: true });
    expect(paused.body).toMatchObject({
      paused: true,
      pausedReason: 'operator',
      pausedAt: expect.any(String),
    });
    const renamed = await update(chat.id, { pausedReason: 'holiday' });
    expect(renamed.body).toMatchObject({ pausedReason: 'holiday', pausedAt: paused.body.pausedAt });
    expect((await update(chat.id, { paused: true })).body).toEqual({
      ...renamed.body,
      updatedAt: expect.any(String),
    });
    expect((await update(chat.id, { paused: false })).body).toMatchObject({
      paused: false,
      pausedReason: null,
      pausedAt: null,
    });
  });

  it.each([{ muted: true }, { labelIds: [] }])(
    'requires chats:write for operator fields, also in an own chat: %j',
    async (body) => {
      const chat = await simpleChat();

      const answer = await update(chat.id, body);

      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain('chats:write');
    },
  );

  it('changes chats of others with the permission', async () => {
    const chat = await simpleChat();

    expect((await update(chat.id, { muted: true }, asAdmin)).status).toBe(200);
  });

  it.each([
    ['a reason for no pause', { pausedReason: 'why' }, ['/pausedReason']],
    ['an empty title', { title: '' }, ['/title']],
    ['a flag that is none', { paused: 'yes' }, ['/paused']],
    ['what cannot be changed', { channel: 'email' }, ['/channel']],
  ])('refuses %s', async (_what, body, pointers) => {
    const chat = await simpleChat();

    const answer = await update(chat.id, body);

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(pointers);
  });
});

it('shows an archived SMS chat as reopened once the member writes', async () => {
  const number = await addPhoneNumber(workspace);
  const chat = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    insertChat(tx, {
      channel: 'phone-sms',
      chatType: 'simple',
      memberId: workspace.member.memberId,
      phoneNumberId: number.id,
    }),
  );
  await asMember('PUT', `/chats/${chat.id}`, { archived: true });

  await asMember('POST', `/chats/${chat.id}/messages`, { content: 'Me again' });

  expect((await asMember('GET', `/chats/${chat.id}`)).body).toMatchObject({
    archived: false,
    lastMessageReceivedAt: expect.any(String),
  });
});
