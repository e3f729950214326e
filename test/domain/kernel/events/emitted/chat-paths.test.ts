import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { createAssistant } from '../../../../../domain/conversations/assistants/create-assistant.js';
import { receiveSms } from '../../../../../domain/conversations/chats/receive-sms.js';
import { useApi } from '../../../../support/api/use-api.js';
import { namesOf, toldDuring } from '../../../../support/webhooks/told-events.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../../support/workspace/definitions.js';
import { addMember, addMemberRow, uniquePhone } from '../../../../support/workspace/factories.js';
import { describePaths } from './path-cases.js';

const suite = useApi({ storesEvents: true });
const { api, as, asAdmin } = suite;
let number: { id: number; number: string };
let workflow: { workflowId: number; revisionId: number };

beforeAll(async () => {
  workflow = await publishDefinition(suite.workspace, conversationTasks());
  number = await addPhoneNumber(suite.workspace, { inboundWorkflowId: workflow.workflowId });
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.request('POST', suite.workspace.path(path), { apiKey: suite.workspace.admin.apiKey, body, headers });
const created = ['chat:created'];
const begun = [...created, 'assignment:created', 'assignment:task_entered'];
const received = ['message:received'];

const person = async () => {
  const memberRoleId = suite.workspace.roles.member.id;
  return (await addMemberRow(suite.workspace, { memberRoleId })).id;
};
const agent = async () =>
  (await createAssistant(suite.workspace.context(), { name: 'Helper', instructions: '' })).memberId;
const openDirectly = (memberId: number) => post('/chats/dm', { memberId });
const withDirectChat = async () => {
  const memberId = await person();
  await openDirectly(memberId);
  return memberId;
};
let from = '';
let carrierMessageId = '';
const text = (body: string, options: { again?: boolean } = {}) => {
  if (!options.again) carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
  return receiveSms(suite.workspace.context(), { carrierMessageId, from, to: number.number, body });
};
const stranger = async () => {
  from = uniquePhone();
  return 0;
};
const texted = async () => {
  await stranger();
  await text('Hello');
  return 0;
};
const openChat = (channel: string) => post('/chats', { channel });
const greeting = { assistantEnabled: false, initialMessage: 'Good morning' };
let key = '';
const askWithKey = () => post('/chats', { channel: 'web-chat' }, { 'Idempotency-Key': key });
const asked = async () => {
  key = randomUUID();
  await askWithKey();
  return 0;
};

const closed = ['chat:closed'];
const put = (path: string, body: object) => asAdmin('PUT', path, body);
const archive = (id: number) => put(`/chats/${id}`, { archived: true });
const openedChat = async () => (await openChat('web-chat')).body.id;
const archivedChat = async () => {
  const id = await openedChat();
  await archive(id);
  return id;
};
const openedWith = async () => {
  const memberId = await person();
  await post('/chats', { channel: 'web-chat', memberId, workflowId: workflow.workflowId });
  return memberId;
};

describePaths(suite, [
  { path: 'a chat on the web', act: () => openChat('web-chat'), told: created },
  {
    path: 'one with a workflow',
    given: person,
    act: (memberId) => post('/chats', { channel: 'web-chat', memberId, workflowId: workflow.workflowId }),
    told: begun,
  },
  {
    path: 'one that begins with a message to a member',
    given: person,
    act: (memberId) =>
      post('/chats', { channel: 'phone-sms', phoneNumberId: number.id, memberId, ...greeting }),
    told: created,
  },
  {
    path: 'one that begins with a message that cannot be sent',
    act: () => post('/chats', { channel: 'email', ...greeting }),
    told: [...created, 'message:failed'],
  },
  { path: 'one that is refused', act: () => openChat('phone-voice'), told: [], refused: true },
  { path: 'one that is asked for again with its key', given: asked, act: askWithKey, told: [] },
  { path: 'a direct one with a person', given: person, act: openDirectly, told: created },
  { path: 'a direct one with an agent', given: agent, act: openDirectly, told: created },
  { path: 'a direct one that there is', given: withDirectChat, act: openDirectly, told: [] },
  {
    path: 'the one of an assignment',
    given: person,
    act: (memberId) => post('/assignments', { workflowId: workflow.workflowId, memberId }),
    told: begun,
  },
  {
    path: 'a text of a stranger',
    given: stranger,
    act: () => text('Hello'),
    told: ['member:created', ...begun, ...received],
  },
  {
    path: 'a known word of a stranger',
    given: stranger,
    act: () => text('HELP'),
    told: ['member:created', ...created, ...received],
  },
  {
    path: 'a text in a chat that there is',
    given: texted,
    act: () => text('Are you there?'),
    told: received,
  },
  { path: 'a chat that is archived', given: openedChat, act: archive, told: closed },
  { path: 'one that is archived already', given: archivedChat, act: archive, told: [] },
  {
    path: 'one that is opened again',
    given: archivedChat,
    act: (id) => put(`/chats/${id}`, { archived: false }),
    told: [],
  },
  {
    path: 'one that is muted and paused',
    given: openedChat,
    act: (id) => put(`/chats/${id}`, { muted: true, paused: true }),
    told: [],
  },
  {
    path: 'one that a message has opened again',
    given: async () => {
      const id = await archivedChat();
      await post(`/chats/${id}/messages`, { content: 'Hello' });
      return id;
    },
    act: archive,
    told: closed,
  },
  {
    path: 'a member who is deleted while its chat goes on',
    given: openedWith,
    act: (id) => asAdmin('DELETE', `/members/${id}`),
    told: ['chat:closed', 'assignment:concluded'],
  },
  { path: 'a repeated text', given: texted, act: () => text('Hello', { again: true }), told: [] },
]);

it('chat:created names the chat, and contains nothing that is said in it', async () => {
  const { workspace } = suite;
  const memberId = await person();
  const words = { title: 'A private title', initialMessage: 'Private words' };
  const kept = { channel: 'phone-sms', phoneNumberId: number.id, memberId };

  let chat: { id: number; uuid: string; createdAt: string } | undefined;
  const events = await toldDuring(workspace, async () => {
    chat = (await post('/chats', { ...kept, ...words, assistantEnabled: false })).body;
  });

  expect(events).toMatchObject([
    {
      event: 'chat:created',
      workspaceUuid: workspace.workspaceUuid,
      chat: {
        ...kept,
        id: chat?.id,
        uuid: chat?.uuid,
        chatType: 'simple',
        createdByMemberId: workspace.admin.memberId,
        assistantMemberId: null,
        workflowId: null,
        workflowRevisionId: null,
        isTest: false,
        createdAt: chat?.createdAt,
      },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/private/i);
});

it.each([
  ['repeats of a stranger’s text', () => text('Hello', { again: true }), 1],
  ['texts of a stranger', () => text('Hello'), 20],
])('twenty %s at once emit each new thing once', async (_what, act, messages) => {
  carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
  await stranger();

  const events = await toldDuring(suite.workspace, () => Promise.all(Array.from({ length: 20 }, act)));

  const told = namesOf(events);
  expect(told.slice(0, 4)).toEqual(['member:created', ...begun]);
  expect(told.slice(4)).toEqual(Array.from({ length: messages }, () => 'message:received'));
});

it('twenty requests to archive a chat at once emit chat:closed once', async () => {
  const id = await openedChat();
  const events = await toldDuring(suite.workspace, () =>
    Promise.all(Array.from({ length: 20 }, () => archive(id))),
  );

  expect(events).toMatchObject([{ event: 'chat:closed', chat: { id }, reason: 'archived' }]);
});

it('fifty requests for the same direct chat at once emit chat:created once', async () => {
  const one = await addMember(suite.workspace, { permissions: ['dm:write'] });
  const other = await addMember(suite.workspace, { permissions: ['dm:write'] });
  const ask = (by: typeof one, memberId: number) => as(by)('POST', '/chats/dm', { memberId });

  const events = await toldDuring(suite.workspace, () =>
    Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? ask(one, other.memberId) : ask(other, one.memberId),
      ),
    ),
  );

  expect(namesOf(events)).toEqual(created);
});
