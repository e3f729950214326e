import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { hasOptedOut } from '../../../../db/channels/sms-opt-outs.js';
import { listChats } from '../../../../domain/conversations/chats/list-chats.js';
import { listMessages } from '../../../../domain/conversations/chats/list-messages.js';
import { listMembers } from '../../../../domain/people/members/list-members.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from './signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database);
let number: PhoneNumberRow;

beforeAll(async () => {
  number = await addPhoneNumber(workspace);
});

const path = '/carrier-messages/inbound';
const newest = { page: 1, pageSize: 100, sortBy: 'createdAt', sortOrder: 'desc' } as const;
const silence = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

const text = (from: string, body: string, more: Record<string, string> = {}) => ({
  MessageSid: `SM${randomUUID().replaceAll('-', '')}`,
  AccountSid: `AC${'0'.repeat(32)}`,
  From: from,
  To: number.number,
  Body: body,
  NumMedia: '0',
  SomethingNew: 'that the carrier added last week',
  ...more,
});
const receive = (from: string, body: string, more = {}) => api.call(path, text(from, body, more));

const membersWith = async (phone: string) =>
  (await listMembers(workspace.context(), { search: phone }, { ...newest, sortBy: 'id' })).items;
const chatsOf = async (memberId: number) =>
  (await listChats(workspace.context(), { memberId: [memberId], ...newest })).items;
const messagesOf = async (chatId: number) =>
  (await listMessages(workspace.context(), { chatId, limit: 100, offset: 0, count: false })).messages;
const optedOut = (phone: string) =>
  workspace.database.inWorkspace(workspace.workspaceId, (tx) => hasOptedOut(tx, phone));

/** The rows of a sender: the member, its chats and all their messages, oldest first. */
async function traceOf(phone: string) {
  const members = await membersWith(phone);
  const chats = (await Promise.all(members.map(({ id }) => chatsOf(id)))).flat();
  const messages = (await Promise.all(chats.map(({ id }) => messagesOf(id)))).flat().reverse();
  return { members, chats, messages };
}

describe('the inbound webhook signature', () => {
  const form = { MessageSid: 'SM1', From: '+12025550123', To: '+12025550124', Body: 'Hello' };
  it.each([
    ['missing', undefined],
    ['made with another token', { token: 'a guess' }],
    ['of another address', { path: `${path}?x=1` }],
    ['of other fields', { form: { ...form, Body: 'Goodbye' } }],
  ])('returns 401 for a signature that is %s', async (_what, signed) => {
    expect(await api.callUnsigned(path, form, signed)).toMatchObject({
      status: 401,
      body: { code: 'invalid_signature' },
    });
  });
});

describe('an inbound message', () => {
  it('opens a chat for a known member and returns an empty response', async () => {
    const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });

    const answer = await receive(row.phone ?? '', 'Hello there');

    expect(answer).toMatchObject({ status: 200, body: silence });
    expect(answer.headers.get('Content-Type')).toContain('text/xml');
    expect(await traceOf(row.phone ?? '')).toMatchObject({
      members: [{ id: memberId }],
      chats: [{ channel: 'phone-sms', phoneNumberId: number.id, chatType: 'simple' }],
      messages: [{ role: 'user', content: 'Hello there', memberId }],
    });
  });

  it('continues the latest chat of the sender on that number', async () => {
    const phone = uniquePhone();

    await receive(phone, 'One');
    await receive(phone, 'Two');

    expect(await traceOf(phone)).toMatchObject({
      chats: [{ messageCount: 2 }],
      messages: [{ content: 'One' }, { content: 'Two' }],
    });
  });

  it('creates a member with the first non-admin role for an unknown sender', async () => {
    const phone = uniquePhone();

    await receive(phone, 'Who are you?');

    expect((await traceOf(phone)).members).toMatchObject([
      { phone, kind: 'human', memberRoleId: workspace.roles.member.id },
    ]);
  });

  it('starts the workflow of the number', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const own = await addPhoneNumber(workspace, { inboundWorkflowId: workflowId });
    const phone = uniquePhone();

    await receive(phone, 'Hello', { To: own.number });

    expect((await traceOf(phone)).chats).toMatchObject([
      { definitionId: workflowId, assignmentId: expect.any(Number), currentTaskName: 'Ask' },
    ]);
  });

  it('is stored once when it is repeated', async () => {
    const form = text(uniquePhone(), 'Just once');

    const answers = [await api.call(path, form), await api.call(path, form)];

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, silence],
      [200, silence],
    ]);
    expect((await traceOf(form.From)).messages).toHaveLength(1);
  });

  it('is stored once when twenty copies arrive at once', async () => {
    const form = text(uniquePhone(), 'All at once');

    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call(path, form)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { members, chats, messages } = await traceOf(form.From);
    expect([members.length, chats.length, messages.length]).toEqual([1, 1, 1]);
  });

  it('shares one chat with twenty different messages that arrive at once', async () => {
    const phone = uniquePhone();

    await Promise.all(Array.from({ length: 20 }, (_, index) => receive(phone, `Message ${index}`)));

    const { members, chats, messages } = await traceOf(phone);
    expect([members.length, chats.length, messages.length]).toEqual([1, 1, 20]);
  });

  it('stores a placeholder for a message that has only a picture', async () => {
    const phone = uniquePhone();

    await receive(phone, '', { NumMedia: '1', MediaUrl0: 'https://example.com/picture' });

    expect((await traceOf(phone)).messages).toMatchObject([{ content: '[media]' }]);
  });

  it('ignores an unknown receiving number and an invalid sender', async () => {
    const phone = uniquePhone();

    expect(await receive(phone, 'Hello', { To: uniquePhone() })).toMatchObject({
      status: 200,
      body: silence,
    });
    expect(await receive('Nobody', 'Hello')).toMatchObject({ status: 200, body: silence });
    expect((await traceOf(phone)).members).toEqual([]);
  });

  it('returns 400 without an id or a sender', async () => {
    const answer = await api.call(path, { Body: 'Hello' });

    expect(answer.status).toBe(400);
  });
});

describe('an inbound keyword', () => {
  it.each(['STOP', ' stop ', 'Unsubscribe', 'END', 'quit', 'CANCEL', 'REVOKE', 'OPTOUT', 'STOPALL'])(
    '%s opts the sender out and is answered once',
    async (word) => {
      const form = text(uniquePhone(), word);

      const answer = await api.call(path, form);

      expect(answer.body).toMatch(/<Response><Message>[^<]*START[^<]*<\/Message><\/Response>$/);
      expect(await optedOut(form.From)).toBe(true);
      expect((await api.call(path, form)).body).toBe(silence);
      expect((await traceOf(form.From)).messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    },
  );

  it('opts in again for START only', async () => {
    const phone = uniquePhone();
    await receive(phone, 'STOP');

    for (const word of ['YES', 'UNSTOP', 'Please START again']) await receive(phone, word);
    expect(await optedOut(phone)).toBe(true);
    expect((await receive(phone, 'start')).body).toContain('<Message>');
    expect(await optedOut(phone)).toBe(false);
  });

  it('returns an answer to HELP and changes nothing', async () => {
    const phone = uniquePhone();

    expect((await receive(phone, 'HELP')).body).toContain('<Message>');
    expect(await optedOut(phone)).toBe(false);
  });

  it('is not recognised inside a sentence', async () => {
    const phone = uniquePhone();

    expect((await receive(phone, 'Please stop by at nine')).body).toBe(silence);
    expect(await optedOut(phone)).toBe(false);
  });

  it('is recorded without a reply when the carrier has already answered it', async () => {
    const phone = uniquePhone();

    expect((await receive(phone, 'STOP', { OptOutType: 'STOP' })).body).toBe(silence);
    expect(await optedOut(phone)).toBe(true);
    expect((await receive(phone, 'START', { OptOutType: 'START' })).body).toBe(silence);
    expect(await optedOut(phone)).toBe(false);
    expect((await receive(phone, 'HELP', { OptOutType: 'HELP' })).body).toBe(silence);
    expect((await traceOf(phone)).messages.map(({ role }) => role)).toEqual(['user', 'user', 'user']);
  });

  it('follows the carrier’s opt-out type for words the service does not know', async () => {
    const phone = uniquePhone();

    expect((await receive(phone, 'ARRET', { OptOutType: 'STOP' })).body).toBe(silence);
    expect(await optedOut(phone)).toBe(true);
  });

  it('starts no workflow', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const own = await addPhoneNumber(workspace, { inboundWorkflowId: workflowId });
    const phone = uniquePhone();

    await receive(phone, 'STOP', { To: own.number });

    expect((await traceOf(phone)).chats).toMatchObject([{ definitionId: null, assignmentId: null }]);
  });
});
