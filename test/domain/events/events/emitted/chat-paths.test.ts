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
const { api, as } = suite;
let number: { id: number; number: string };
let workflow: { workflowId: number; revisionId: number };

beforeAll(async () => {
  workflow = await publishDefinition(suite.workspace, conversationTasks());
  number = await addPhoneNumber(suite.workspace, { inboundWorkflowId: workflow.workflowId });
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.request('POST', suite.workspace.path(path), { apiKey: suite.workspace.admin.apiKey, body, headers });
const created = ['chat:created'];

const person = async () => {
  const memberRoleId = suite.workspace.roles.member.id;
  return (await addMemberRow(suite.workspace, { memberRoleId })).id;
};
const agent = async () =>
  (await createAssistant(suite.workspace.context(), { name: 'Helper', instructions: '' })).memberId;
const withDirectChat = async () => {
  const memberId = await person();
  await post('/chats/dm', { memberId });
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
let key = '';
const asked = async () => {
  key = randomUUID();
  await post('/chats', { channel: 'web-chat' }, { 'Idempotency-Key': key });
  return 0;
};

describePaths(suite, [
  { path: 'a chat on the web', act: () => post('/chats', { channel: 'web-chat' }), told: created },
  {
    path: 'one with a workflow',
    given: person,
    act: (memberId) => post('/chats', { channel: 'web-chat', memberId, workflowId: workflow.workflowId }),
    told: created,
  },
  {
    path: 'one that begins with a message to a member',
    given: person,
    act: (memberId) =>
      post('/chats', {
        channel: 'phone-sms',
        phoneNumberId: number.id,
        memberId,
        assistantEnabled: false,
        initialMessage: 'Good morning',
      }),
    told: created,
  },
  {
    path: 'one that begins with a message that cannot be sent',
    act: () => post('/chats', { channel: 'email', assistantEnabled: false, initialMessage: 'Good morning' }),
    told: created,
  },
  {
    path: 'one that is refused',
    act: () => post('/chats', { channel: 'phone-voice' }),
    told: [],
    refused: true,
  },
  {
    path: 'one that is asked for again with its key',
    given: asked,
    act: () => post('/chats', { channel: 'web-chat' }, { 'Idempotency-Key': key }),
    told: [],
  },
  {
    path: 'a direct one with a person',
    given: person,
    act: (memberId) => post('/chats/dm', { memberId }),
    told: created,
  },
  {
    path: 'a direct one with an agent',
    given: agent,
    act: (memberId) => post('/chats/dm', { memberId }),
    told: created,
  },
  {
    path: 'a direct one that there is',
    given: withDirectChat,
    act: (memberId) => post('/chats/dm', { memberId }),
    told: [],
  },
  {
    path: 'the one of an assignment',
    given: person,
    act: (memberId) => post('/assignments', { workflowId: workflow.workflowId, memberId }),
    told: created,
  },
  { path: 'a text of a stranger', given: stranger, act: () => text('Hello'), told: created },
  {
    path: 'a word of a stranger that the carrier knows',
    given: stranger,
    act: () => text('STOP'),
    told: created,
  },
  { path: 'a text in a chat that there is', given: texted, act: () => text('Are you there?'), told: [] },
  {
    path: 'a text that the carrier repeats',
    given: texted,
    act: () => text('Hello', { again: true }),
    told: [],
  },
]);

it('chat:created names the chat, and contains nothing that is said in it', async () => {
  const { workspace } = suite;
  const memberId = await person();
  const body = {
    channel: 'phone-sms',
    phoneNumberId: number.id,
    memberId,
    title: 'A private title',
    assistantEnabled: false,
    initialMessage: 'Private words',
  };

  let chat: { id: number; uuid: string; createdAt: string } | undefined;
  const events = await toldDuring(workspace, async () => {
    chat = (await post('/chats', body)).body;
  });

  expect(events).toMatchObject([
    {
      event: 'chat:created',
      workspaceUuid: workspace.workspaceUuid,
      chat: {
        id: chat?.id,
        uuid: chat?.uuid,
        channel: 'phone-sms',
        chatType: 'simple',
        memberId,
        createdByMemberId: workspace.admin.memberId,
        assistantMemberId: null,
        workflowId: null,
        workflowRevisionId: null,
        phoneNumberId: number.id,
        isTest: false,
        createdAt: chat?.createdAt,
      },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/private/i);
});

it.each([
  ['repeats of a stranger’s text', () => text('Hello', { again: true }), stranger],
  ['texts of a stranger', () => text('Hello'), stranger],
])('fifty %s at once emit chat:created once', async (_what, act, before) => {
  carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
  await before();

  const events = await toldDuring(suite.workspace, () => Promise.all(Array.from({ length: 50 }, act)));

  expect(namesOf(events)).toEqual(created);
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
