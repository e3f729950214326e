import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { hasOptedOut } from '../../../../db/channels/sms-opt-outs.js';
import { selectMessages } from '../../../../db/conversations/message-pages.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { createPhoneNumber } from '../../../../domain/channels/phone-numbers/create-phone-number.js';
import { deletePhoneNumber } from '../../../../domain/channels/phone-numbers/delete-phone-number.js';
import { listChats } from '../../../../domain/conversations/chats/list-chats.js';
import { listMembers } from '../../../../domain/people/members/read-members.js';
import { type DeliveryStage, stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { commitsOf } from '../../../support/db/commits-of.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import {
  addMember,
  createWorkspace,
  type TestWorkspace,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from './signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database);
let number: PhoneNumberRow;
let other: TestWorkspace;
/** The number of a person that the service does not know. */
let phone: string;

beforeAll(async () => {
  number = await addPhoneNumber(workspace);
  other = await createWorkspace(workspace.database);
});
beforeEach(() => {
  phone = uniquePhone();
});

const path = '/carrier-messages/inbound';
const newest = { page: 1, pageSize: 100, sortBy: 'createdAt', sortOrder: 'desc' } as const;
const hello = { MessageSid: 'SM1', From: '+12025550123', To: '+12025550124', Body: 'Hello' };
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

const optedOut = (sender: string) => workspace.within((tx) => hasOptedOut(tx, sender));

/** The rows of a sender: the member, its chats and all their messages, oldest first. */
async function traceOf(sender: string) {
  const context = workspace.context();
  const { items: members } = await listMembers(context, { search: sender }, { ...newest, sortBy: 'id' });
  const lists = await Promise.all(members.map(({ id }) => listChats(context, { memberId: [id], ...newest })));
  const chats = lists.flatMap(({ items }) => items);
  const texts = await workspace.within((tx) =>
    Promise.all(chats.map(({ id: chatId }) => selectMessages(tx, { chatId, withNotes: true }, 100, 0))),
  );
  return { members, chats, messages: texts.flat().reverse() };
}

/** A number whose inbound messages start a workflow. */
async function numberWithWorkflow() {
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  const { number: to } = await addPhoneNumber(workspace, { inboundWorkflowId: workflowId });
  return { workflowId, to };
}

it.each([
  ['missing', undefined],
  ['made with another token', { token: 'a guess' }],
  ['of another address', { path: `${path}?x=1` }],
  ['of other fields', { form: { ...hello, Body: 'Goodbye' } }],
])('an inbound message returns 401 for a signature that is %s', async (_what, signed) => {
  const answer = await api.callUnsigned(path, hello, signed);
  expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
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

  it('takes one transaction after its number is looked up', async () => {
    await receive(phone, 'One');

    expect(await commitsOf(() => receive(phone, 'Two'))).toBe(2);
  });

  it('comes at once to another workspace to which a known number has gone', async () => {
    const moved = await addPhoneNumber(workspace);
    const stored = text(phone, 'Before');
    await api.call(path, stored);
    // A repetition, which leaves no chat with the number.
    await api.call(path, { ...stored, To: moved.number });
    await deletePhoneNumber(workspace.context(), moved.id);
    await createPhoneNumber(other.context(), { number: moved.number, name: 'Moved' });

    await api.call(path, text(phone, 'After', { To: moved.number }));

    const chats = await listChats(other.context(), newest);
    expect(chats.items).toMatchObject([{ channel: 'phone-sms', messageCount: 1 }]);
    expect(await traceOf(phone)).toMatchObject({ chats: [{ messageCount: 1 }] });
  });

  it('continues the latest chat of the sender on that number', async () => {
    await receive(phone, 'One');
    await receive(phone, 'Two');

    expect(await traceOf(phone)).toMatchObject({
      chats: [{ messageCount: 2 }],
      messages: [{ content: 'One' }, { content: 'Two' }],
    });
  });

  it('creates a member with the first non-admin role for an unknown sender', async () => {
    await receive(phone, 'Who are you?');
    expect((await traceOf(phone)).members).toMatchObject([
      { phone, kind: 'human', memberRoleId: workspace.roles.member.id },
    ]);
  });

  it('starts the workflow of the number', async () => {
    const { workflowId, to } = await numberWithWorkflow();
    await receive(phone, 'Hello', { To: to });
    expect((await traceOf(phone)).chats).toMatchObject([
      { definitionId: workflowId, assignmentId: expect.any(Number), currentTaskName: 'Ask' },
    ]);
  });

  it('is stored once when it is repeated', async () => {
    const form = text(phone, 'Just once');

    for (let time = 0; time < 2; time += 1) {
      expect(await api.call(path, form)).toMatchObject({ status: 200, body: silence });
    }
    expect((await traceOf(form.From)).messages).toHaveLength(1);
  });

  it('is stored once when twenty copies arrive at once', async () => {
    const form = text(phone, 'All at once');

    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call(path, form)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { members, chats, messages } = await traceOf(form.From);
    expect([members.length, chats.length, messages.length]).toEqual([1, 1, 1]);
  });

  it('shares one chat with twenty different messages that arrive at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => receive(phone, `Message ${index}`)));

    const { members, chats, messages } = await traceOf(phone);
    expect([members.length, chats.length, messages.length]).toEqual([1, 1, 20]);
  });

  it('awaits its media, and begins the run that fetches them, once', async () => {
    const form = text(phone, '', { NumMedia: '2', MediaUrl0: 'https://example.com/picture' });
    for (let time = 0; time < 2; time += 1) expect(await api.call(path, form)).toMatchObject({ status: 200 });

    const { messages, chats } = await traceOf(phone);
    const files = [{ status: 'awaited' }, { status: 'awaited' }];
    expect(messages).toMatchObject([{ content: '', files, mediaAwaitedSince: expect.any(Date) }]);
    const started = await workspace.within((tx) =>
      tx('outbox').where({ run_type: 'fetchMedia', subject: messages[0]?.uuid }),
    );
    expect(started).toMatchObject([
      { action: 'start', input: { chatId: chats[0]?.id, messageId: messages[0]?.id } },
    ]);
  });

  it.each([
    ['ten of more media than carriers send', '99', 10],
    ['none where the number is no number', 'many', 0],
  ])('awaits %s', async (_, NumMedia, count) => {
    await receive(phone, 'See', { NumMedia });
    expect((await traceOf(phone)).messages[0]?.files).toHaveLength(count);
  });

  it('awaits the media of a keyword too, and answers it', async () => {
    expect((await receive(phone, 'STOP', { NumMedia: '1' })).body).toContain('<Message>');
    expect((await traceOf(phone)).messages[0]).toMatchObject({ files: [{ status: 'awaited' }] });
  });

  it('ignores an unknown receiving number and an invalid sender', async () => {
    const ignored = { status: 200, body: silence };
    expect(await receive(phone, 'Hello', { To: uniquePhone() })).toMatchObject(ignored);
    expect(await receive('Nobody', 'Hello')).toMatchObject(ignored);
    expect((await traceOf(phone)).members).toEqual([]);
  });

  it('returns 400 without an id or a sender', async () => {
    expect((await api.call(path, { Body: 'Hello' })).status).toBe(400);
  });
});

describe('an inbound keyword', () => {
  it('opts the sender out and is answered once', async () => {
    const form = text(phone, ' stop ');

    expect((await api.call(path, form)).body).toMatch(
      /<Response><Message>[^<]*START[^<]*<\/Message><\/Response>$/,
    );
    expect(await optedOut(phone)).toBe(true);
    expect((await api.call(path, form)).body).toBe(silence);
    expect((await traceOf(phone)).messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('opts in again for START only', async () => {
    await receive(phone, 'STOP');

    for (const word of ['YES', 'Please START again']) await receive(phone, word);
    expect(await optedOut(phone)).toBe(true);
    expect((await receive(phone, 'start')).body).toContain('<Message>');
    expect(await optedOut(phone)).toBe(false);
  });

  it.each([
    ['HELP is answered', 'HELP', expect.stringContaining('<Message>')],
    ['a word within a sentence is no keyword', 'Please stop by at nine', silence],
  ])('changes nothing where %s', async (_what, body, answer) => {
    expect((await receive(phone, body)).body).toEqual(answer);
    expect(await optedOut(phone)).toBe(false);
  });

  it('is recorded without a reply when the carrier has already answered it', async () => {
    expect((await receive(phone, 'STOP', { OptOutType: 'STOP' })).body).toBe(silence);
    expect(await optedOut(phone)).toBe(true);
    expect((await receive(phone, 'START', { OptOutType: 'START' })).body).toBe(silence);
    expect(await optedOut(phone)).toBe(false);
    expect((await receive(phone, 'HELP', { OptOutType: 'HELP' })).body).toBe(silence);
    expect((await traceOf(phone)).messages.map(({ role }) => role)).toEqual(['user', 'user', 'user']);
  });

  it('follows the carrier’s opt-out type for words the service does not know', async () => {
    expect((await receive(phone, 'ARRET', { OptOutType: 'STOP' })).body).toBe(silence);
    expect(await optedOut(phone)).toBe(true);
  });

  it('starts no workflow', async () => {
    const { to } = await numberWithWorkflow();
    await receive(phone, 'STOP', { To: to });
    expect((await traceOf(phone)).chats).toMatchObject([{ definitionId: null, assignmentId: null }]);
  });
});

describe('a status callback', () => {
  let stage: DeliveryStage;
  let deliveryId: number;
  let messageUuid: string;

  beforeEach(async () => {
    stage = await stageDeliveries(workspace, new MovedClock());
    const written = await stage.write('On its way');
    deliveryId = written.delivery.id;
    messageUuid = written.message.uuid;
    await claim();
  });

  const claim = () =>
    claimDelivery(workspace.context(), { workspaceId: workspace.workspaceId, deliveryId }, randomUUID());
  const pathOf = (uuid: string, attempt: number | string = 1, workspaceUuid = workspace.workspaceUuid) =>
    `/w/${workspaceUuid}/carrier-messages/${uuid}/status?attempt=${attempt}`;
  const report = (status: string, more: Record<string, string> = {}, attempt = 1) =>
    api.call(pathOf(messageUuid, attempt), { MessageSid: 'SM1', MessageStatus: status, To: '+1', ...more });
  const state = async () => (await stage.delivery(messageUuid)).state;
  const shown = async () => {
    const { smsDeliveryStatus, smsDeliveryErrorCode, smsDeliveryFailureReason } =
      await stage.message(messageUuid);
    return [smsDeliveryStatus, smsDeliveryErrorCode, smsDeliveryFailureReason];
  };
  const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };

  it.each([
    ['MessageSid', 'Robin Sample'],
    ['ErrorCode', 'R. Sample'],
  ])('returns 400 for a malformed %s without repeating or storing the value', async (field, words) => {
    const answer = await report('failed', { [field]: words });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${field}` }] } });
    expect(JSON.stringify(answer.body)).not.toContain(words);
    expect(await state()).toBe('claimed');
  });

  it.each([
    ['missing', undefined],
    ['made with another token', { token: 'a guess' }],
    ['of other fields', { form: { ...form, MessageStatus: 'failed' } }],
  ])('returns 401 for a signature that is %s', async (_what, signed) => {
    expect(await api.callUnsigned(pathOf(messageUuid), form, signed)).toMatchObject({ status: 401 });
    expect(await state()).toBe('claimed');
  });

  it('is signed over the number of the attempt in its path', async () => {
    const signed = { path: pathOf(messageUuid, 1) };
    expect((await api.callUnsigned(pathOf(messageUuid, 2), form, signed)).status).toBe(401);
  });

  it('updates the status that the message shows', async () => {
    expect((await report('sent')).status).toBe(204);
    expect(await shown()).toEqual(['sent', null, null]);
    expect((await report('delivered')).status).toBe(204);
    expect(await shown()).toEqual(['delivered', null, null]);
    expect(await stage.delivery(messageUuid)).toMatchObject({ state: 'delivered', carrierMessageId: 'SM1' });
  });

  it('is one transaction after its workspace is looked up, and writes nothing where the news are old', async () => {
    await report('sent');
    const before = await stage.message(messageUuid);

    expect(await commitsOf(() => report('sent'))).toBe(2);

    expect(await stage.message(messageUuid)).toEqual(before);
    expect(await commitsOf(() => report('delivered'))).toBe(2);
    expect(await state()).toBe('delivered');
  });

  it('keeps the first failure reason', async () => {
    await report('undelivered', { ErrorCode: '30005' });
    await report('failed', { ErrorCode: '30007' });
    await report('delivered');
    expect(await shown()).toEqual(['failed', '30005', 'unknown_number']);
  });

  it('ignores an unknown status', async () => {
    expect((await report('levitating')).status).toBe(204);
    expect(await state()).toBe('claimed');
  });

  it('records an opt-out that the carrier reports', async () => {
    await report('failed', { ErrorCode: '21610' });
    expect(await optedOut(stage.member.row.phone ?? '')).toBe(true);
    expect(await shown()).toEqual(['failed', '21610', 'opted_out']);
  });

  it('ignores a superseded attempt', async () => {
    await report('undelivered', { ErrorCode: '30003' });
    expect(await state()).toBe('queued');
    await report('undelivered', { ErrorCode: '30003' });
    await claim();

    await report('delivered', {}, 1);
    expect(await stage.delivery(messageUuid)).toMatchObject({ state: 'claimed', attempts: 2 });
    await report('delivered', {}, 2);
    expect(await state()).toBe('delivered');
  });

  it('results in one state when twenty callbacks arrive at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => report(index % 2 === 0 ? 'sent' : 'delivered')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await shown()).toEqual(['delivered', null, null]);
  });

  it.each([
    ['an unknown message', () => pathOf(randomUUID())],
    ['a message that has no uuid', () => pathOf('nothing')],
    ['an unknown workspace', () => pathOf(messageUuid, 1, randomUUID())],
    ['a workspace that has no uuid', () => pathOf(messageUuid, 1, 'nowhere')],
    ['a message of another workspace', () => pathOf(messageUuid, 1, other.workspaceUuid)],
  ])('returns 204 and changes nothing for %s', async (_what, unknownPath) => {
    expect((await api.call(unknownPath(), form)).status).toBe(204);
    expect(await state()).toBe('claimed');
  });
});
