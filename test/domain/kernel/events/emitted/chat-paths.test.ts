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

describePaths(suite, [
  { path: 'a chat on the web', act: () => openChat('web-chat'), told: created },
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
      post('/chats', { channel: 'phone-sms', phoneNumberId: number.id, memberId, ...greeting }),
    told: created,
  },
  {
    path: 'one that begins with a message that cannot be sent',
    act: () => post('/chats', { channel: 'email', ...greeting }),
    told: created,
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
    told: created,
  },
  { path: 'a text of a stranger', given: stranger, act: () => text('Hello'), told: created },
  { path: 'a known word of a stranger', given: stranger, act: () => text('STOP'), told: created },
  { path: 'a text in a chat that there is', given: texted, act: () => text('Are you there?'), told: [] },
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
