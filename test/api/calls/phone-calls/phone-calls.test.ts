import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findOpenCall, patchPhoneCall } from '../../../../db/calls/phone-calls.js';
import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { advanceAssignment } from '../../../../domain/assignments/advance-assignment.js';
import { finishCall } from '../../../../domain/calls/finish-call.js';
import { lockCall } from '../../../../domain/calls/lock-call.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { TwilioCarrier } from '../../../../providers/carrier/twilio-carrier.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const carrier = new TwilioCarrier({ accountSid: `AC${'0'.repeat(32)}`, authToken: 'a token' });
const { api, database, workspace, otherWorkspace, as, asAdmin } = useApi({ carrier });
let number: PhoneNumberRow;
let member: TestMember;
let chat: FreeChat;
const inWorkspace = <Result>(work: Parameters<typeof database.database.inWorkspace<Result>>[1]) =>
  database.database.inWorkspace(workspace.workspaceId, work);

beforeAll(async () => {
  number = await addPhoneNumber(workspace, { voiceEnabled: true });
});
beforeEach(async () => {
  member = await addMember(workspace, { role: workspace.roles.member });
  chat = await stageFreeChat(workspace, { member });
});

const path = () => `/chats/${chat.chatId}/outbound-call`;
const body = () => ({ phoneNumberId: number.id, chatId: chat.chatId });
const place = () => asAdmin('POST', path(), body());
const end = (callId: number) =>
  inWorkspace(async (tx) => {
    const locked = await lockCall(tx, { callId });
    if (locked !== undefined)
      await finishCall(tx, locked, { carrierStatus: 'busy', learntBy: 'callback' }, new Date());
  });
const isStarted = (uuid: string) =>
  inWorkspace((tx) =>
    tx('outbox').where({ subject: uuid, run_type: 'runVoiceCall', action: 'start' }).first(),
  );

describe('calling the member of a chat', () => {
  it('stores the call, which a run then dials', async () => {
    const { status, body: call } = await place();

    expect(status).toBe(201);
    expect(call).toMatchObject({
      id: expect.any(Number),
      phoneNumberId: number.id,
      twilioCallId: '',
      status: 'pending',
      inbound: false,
      chatId: chat.chatId,
      member: { id: member.memberId },
      terminationReason: null,
      workflowId: null,
    });
    const open = await inWorkspace((tx) => findOpenCall(tx, chat.chatId));
    expect(await isStarted(open?.uuid ?? '')).toBeDefined();
  });

  it('is refused while a call of the chat is up, also if both are asked for at once', async () => {
    const answers = await Promise.all([place(), place()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'call_in_progress' });
    const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
    await end(id);
    expect((await place()).status).toBe(201);
  });

  it('is refused for another chat than that of the path, a number of another workspace, and one without voice', async () => {
    const other = await addPhoneNumber(otherWorkspace, { voiceEnabled: true });
    const mute = await addPhoneNumber(workspace, { voiceEnabled: false });
    for (const [wrong, pointer] of [
      [{ chatId: chat.chatId + 1 }, '/chatId'],
      [{ phoneNumberId: other.id }, '/phoneNumberId'],
      [{ phoneNumberId: mute.id }, '/phoneNumberId'],
    ] as const) {
      const answer = await asAdmin('POST', path(), { ...body(), ...wrong });
      expect({ status: answer.status, pointers: pointersOf(answer.body) }).toEqual({
        status: 400,
        pointers: [pointer],
      });
    }
  });

  it('is refused for a member without a phone number', async () => {
    await inWorkspace((tx) => tx('members').where({ id: member.memberId }).update({ phone: null }));
    expect(await place()).toMatchObject({ status: 400, body: { errors: [{ pointer: '/chatId' }] } });
  });

  it('is open to the member itself, and to nobody else without the permission', async () => {
    const stranger = await addMember(workspace, { role: workspace.roles.member });
    expect((await as(stranger)('POST', path(), body())).status).toBe(403);
    expect((await as(member)('POST', path(), body())).status).toBe(201);
  });

  it.each([
    ['archived', { archived: true }],
    ['paused', { paused: true }],
    ['without an agent', { assistantEnabled: false }],
  ])('is refused at once in a chat that is %s', async (_what, change) => {
    expect((await asAdmin('PUT', `/chats/${chat.chatId}`, change)).status).toBe(200);
    expect(await place()).toMatchObject({ status: 409, body: { code: 'agent_not_active' } });
    expect((await asAdmin('GET', `/chats/${chat.chatId}/phone-calls`)).body).toEqual([]);
  });

  it.each([
    ['opted_out', { sms_opted_out_at: new Date() }],
    ['notifications_disabled', { notify_voice: false }],
    ['country_not_allowed', { phone: '+4915112345678' }],
    ['member_disabled', { disabled_at: new Date() }],
  ])('is refused at once with the reason of the safety gate: %s', async (code, change) => {
    await inWorkspace((tx) => tx('members').where({ id: member.memberId }).update(change));
    expect(await place()).toMatchObject({ status: 400, body: { code } });
    expect((await asAdmin('GET', `/chats/${chat.chatId}/phone-calls`)).body).toEqual([]);
    expect(await inWorkspace((tx) => findOpenCall(tx, chat.chatId))).toBeUndefined();
  });

  it('happens once for an Idempotency-Key', async () => {
    const ask = () =>
      api.request('POST', workspace.path(path()), {
        apiKey: workspace.admin.apiKey,
        body: body(),
        headers: { 'Idempotency-Key': `call-${chat.chatId}` },
      });
    const first = await ask();
    expect((await ask()).body).toEqual(first.body);
  });
});

describe('a chat by voice', () => {
  const create = (more: object = {}) =>
    asAdmin('POST', '/chats', {
      channel: 'phone-voice',
      memberId: member.memberId,
      phoneNumberId: number.id,
      ...more,
    });

  it('with a workflow calls the member, and the text agent stays silent while the call is up', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const { status, body: created } = await create({ workflowId });
    expect(status).toBe(201);
    const open = await inWorkspace((tx) => findOpenCall(tx, created.id));
    expect(open).toMatchObject({ phoneNumberId: number.id, begunBy: 'api', inbound: false });
    const ref = { workspaceId: workspace.workspaceId, assignmentId: created.assignmentId };
    const advance = () => advanceAssignment(workspace.context(), ref);
    expect(await advance()).toMatchObject({ kind: 'wait' });
    await end(open?.id ?? 0);

    expect(await advance()).toMatchObject({ kind: 'wait' });
    const { body: after } = await asAdmin('GET', `/chats/${created.id}`);
    expect(after).toMatchObject({ needsResponse: true, needsResponseReason: 'call_ended' });
  });

  it('without an agent, or without a workflow, calls nobody', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    for (const more of [{ workflowId, assistantEnabled: false }, {}]) {
      const { status, body: created } = await create(more);
      expect(status).toBe(201);
      expect(await inWorkspace((tx) => findOpenCall(tx, created.id))).toBeUndefined();
    }
  });

  it('needs a number that calls, and a member that has one', async () => {
    const mute = await addPhoneNumber(workspace, { voiceEnabled: false });
    expect(pointersOf((await create({ phoneNumberId: mute.id })).body)).toEqual(['/phoneNumberId']);
    await inWorkspace((tx) => tx('members').where({ id: member.memberId }).update({ phone: null }));
    expect(pointersOf((await create()).body)).toEqual(['/memberId']);
  });
});

describe('reading calls', () => {
  it('shows how a call ended, with its agent without instructions and its workflow', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const assistant = await createAssistant(workspace.context(), { name: 'Ada', instructions: 'Secret.' });
    const { body: created } = await asAdmin('POST', '/chats', {
      channel: 'phone-voice',
      memberId: member.memberId,
      phoneNumberId: number.id,
      workflowId,
    });
    const { id } = (await inWorkspace((tx) => findOpenCall(tx, created.id))) ?? { id: 0 };
    await inWorkspace(async (tx) => {
      const agentMemberId = assistant.memberId;
      await patchPhoneCall(tx, id, { agentMemberId, carrierCallId: `CA${id}`, updatedAt: new Date() });
    });
    await end(id);

    const { status, body: call } = await as(member)('GET', `/phone-calls/${id}`);
    expect(status).toBe(200);
    expect(call).toMatchObject({
      id,
      twilioCallId: `CA${id}`,
      status: 'busy',
      carrierStatus: 'busy',
      finishedAt: expect.any(String),
      workflowId,
      member: { id: member.memberId },
      terminationReason: null,
      agent: { memberId: assistant.memberId, name: 'Ada' },
    });
    expect(call.agent).not.toHaveProperty('instructions');
    for (const absent of ['failureDetail', 'startedAt']) {
      expect(call).not.toHaveProperty(absent);
    }
    const { body: calls } = await asAdmin('GET', `/chats/${created.id}/phone-calls`);
    expect(calls).toEqual([expect.objectContaining({ id })]);
    expect(calls[0].agent).not.toHaveProperty('instructions');
  });

  it('lists all with the permission, else those of own chats, by filters', async () => {
    const { body: placed } = await place();
    await end(placed.id);
    const { body: again } = await place();
    const list = async (who: TestMember, query: Record<string, string | number>) =>
      (await as(who)('GET', '/phone-calls', undefined, query)).body.items.map(({ id }: { id: number }) => id);
    const ofMember = { memberId: member.memberId };

    expect(await list(workspace.admin, ofMember)).toEqual([again.id, placed.id]);
    expect(await list(workspace.admin, { ...ofMember, status: 'busy' })).toEqual([placed.id]);
    expect(await list(workspace.admin, { ...ofMember, inbound: 'true' })).toEqual([]);
    const between = { ...ofMember, createdFrom: placed.createdAt, createdBefore: again.createdAt };
    expect(await list(workspace.admin, between)).toEqual([placed.id]);
    expect(await list(member, { sortOrder: 'asc' })).toEqual([placed.id, again.id]);
    expect(await list(await addMember(workspace, { role: workspace.roles.member }), ofMember)).toEqual([]);
  });

  it('shows the bill and its differences to those who may read the workspace, also in the usage of the chat', async () => {
    const { id } = (await place()).body;
    const now = new Date();
    const ended = {
      status: 'completed',
      carrierStatus: 'completed',
      startedAt: now,
      finishedAt: now,
    } as const;
    const bill = {
      durationSeconds: 95,
      measuredSeconds: 60,
      price: 0.3,
      priceUnit: 'USD',
      expectedPrice: 0.2,
    };
    await inWorkspace((tx) => patchPhoneCall(tx, id, { ...ended, ...bill, credits: 2, updatedAt: now }));

    const shown = { price: 0.3, priceUnit: 'USD', costDifference: 0.1, durationDifference: 35 };
    expect((await asAdmin('GET', `/phone-calls/${id}`)).body).toMatchObject({
      durationSeconds: 95,
      ...shown,
    });
    const own = await as(member)('GET', `/phone-calls/${id}`);
    expect(own.body).toMatchObject({ durationSeconds: 95 });
    for (const field of Object.keys(shown)) expect(own.body).not.toHaveProperty(field);

    // One that goes on has cost something, and has not lasted yet.
    const { id: up } = (await place()).body;
    const isUp = { status: 'in-progress', startedAt: now, credits: 100 } as const;
    await inWorkspace((tx) => patchPhoneCall(tx, up, { ...isUp, updatedAt: now }));
    const usage = `/chats/${chat.chatId}/token-usage`;
    const voice = { voiceDurationSeconds: 95, creditsPerHour: 75.789474 };
    const costs = [{ currency: 'USD', price: 0.3, costDifference: 0.1 }];
    const phoneCalls = { count: 1, durationSeconds: 95, durationDifference: 35, costs };
    expect((await asAdmin('GET', usage)).body).toMatchObject({ ...voice, phoneCalls });
    const ownUsage = (await as(member)('GET', usage)).body;
    expect(ownUsage).toMatchObject(voice);
    expect(ownUsage).not.toHaveProperty('phoneCalls');
  });

  it('hides the member from a participant who may not read members', async () => {
    const { body: placed } = await place();
    const other = await addMember(workspace, { permissions: ['chats:read'] });
    const { body: call } = await as(other)('GET', `/phone-calls/${placed.id}`);
    expect(call).toMatchObject({ id: placed.id });
    expect(call).not.toHaveProperty('member');
  });
});

describe('hanging up', () => {
  it('shows colleagues who has hung up, and the member only that somebody has', async () => {
    const { body: placed } = await place();

    const hungUp = await asAdmin('POST', `/phone-calls/${placed.id}/hang-up`);

    const shown = { hungUpAt: expect.any(String), hungUpByMemberId: workspace.admin.memberId };
    const body = { status: 'canceled', terminationReason: 'hangup', ...shown };
    expect(hungUp).toMatchObject({ status: 200, body });
    expect(await asAdmin('POST', `/phone-calls/${placed.id}/hang-up`)).toMatchObject({ body: hungUp.body });
    const own = (await as(member)('GET', `/phone-calls/${placed.id}`)).body;
    expect(own).toMatchObject({ hungUpAt: hungUp.body.hungUpAt });
    expect(own).not.toHaveProperty('hungUpByMemberId');
  });

  it('is for colleagues: the member of the chat hangs up its phone', async () => {
    const { body: placed } = await place();

    const answer = await as(member)('POST', `/phone-calls/${placed.id}/hang-up`);

    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });
});

describe('access', () => {
  let callId: number;
  beforeEach(async () => {
    callId = (await place()).body.id;
  });
  const reading = { method: 'GET', scope: 'chats:read', needsPermission: true, namesItem: true } as const;
  const names = [
    'a call',
    'the calls of a chat',
    'its marks',
    'hanging up',
    'whom it can be transferred to',
    'transferring',
  ];
  describeAccess({ api, workspace, otherWorkspace }, names, () => [
    { ...reading, path: `/phone-calls/${callId}` },
    { ...reading, path: `/chats/${chat.chatId}/phone-calls` },
    { ...reading, path: `/phone-calls/${callId}/marks` },
    { ...reading, method: 'POST', scope: 'chats:admin', path: `/phone-calls/${callId}/hang-up` },
    { ...reading, scope: 'chats:admin', path: `/phone-calls/${callId}/transfer-targets` },
    {
      ...reading,
      method: 'POST',
      scope: 'chats:admin',
      path: `/phone-calls/${callId}/transfer`,
      body: { target: 'front_desk' },
      served: 409,
    },
  ]);
});
