import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  endCallBridge,
  insertCallBridge,
  patchCallBridge,
  selectBridgesOfCall,
} from '../../../../db/calls/call-bridges.js';
import { findPhoneCallAtCarrier, type PhoneCallRow } from '../../../../db/calls/phone-calls.js';
import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { type ChatRow, findChat, patchChat } from '../../../../db/conversations/chats.js';
import { findMemberByPhone } from '../../../../db/people/members.js';
import { isUnprovedIdentifier } from '../../../../db/people/unproved-identifiers.js';
import { weekdays } from '../../../../domain/channels/outreach/quiet-hours.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { maxClosedAnHour } from '../../../../domain/conversations/phone-calls/closed.js';
import { maxCallsOfCallerAnHour } from '../../../../domain/conversations/phone-calls/receive-call.js';
import { updateMember } from '../../../../domain/people/members/update-member.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database);
const newSid = () => `CA${randomUUID().replaceAll('-', '')}`;
const hangUp = '<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>';
const rejected = '<?xml version="1.0" encoding="UTF-8"?><Response><Reject reason="rejected"/></Response>';
const busy = '<?xml version="1.0" encoding="UTF-8"?><Response><Reject reason="busy"/></Response>';

const atCarrier = async (sid: string): Promise<PhoneCallRow> => {
  const found = await workspace.within((tx) => findPhoneCallAtCarrier(tx, sid));
  if (found === undefined) throw new Error('there is no such call');
  return found;
};
const bridgesOf = (callId: number) => workspace.within((tx) => selectBridgesOfCall(tx, callId));
const chatOf = async ({ chatId }: PhoneCallRow): Promise<ChatRow | undefined> =>
  workspace.within((tx) => findChat(tx, chatId ?? 0));

async function workspaceRow() {
  const found = await workspace.database.identity.workspaces.findById(workspace.workspaceId);
  if (found === undefined) throw new Error('the workspace is gone');
  return found;
}

beforeAll(async () => {
  await createAssistant(workspace.context(), { name: 'Voice', instructions: 'Talk.', isDefault: true });
});

describe('the handler of an outgoing call', () => {
  let call: StagedCall;
  let sid: string;
  let path: string;
  let callbacks: string;
  beforeEach(async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const chat = await stageFreeChat(workspace, { member });
    call = await stageCall(workspace, new MovedClock(), chat.chatId);
    await call.advance();
    const row = await call.row();
    sid = row.carrierCallId ?? '';
    path = workspace.path(`/chats/outbound-call-handler/${row.phoneNumberId}/${chat.chatId}/${call.callId}`);
    callbacks = workspace.path(`/carrier-calls/${row.uuid}`);
  });
  const ask = (CallStatus = 'in-progress', CallSid = sid) => api.call(path, { CallSid, CallStatus });

  it('opens the stream with a one-time token, and the call is in progress', async () => {
    const { status, body, headers } = await ask();

    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/xml');
    const { uuid, ...row } = await call.row();
    expect(body).toContain('<Stream url="wss://streams.example.com/api/v2/call-streams"');
    expect(body).toContain(`<Parameter name="call" value="${uuid}"/>`);
    expect(body).toMatch(/<Parameter name="token" value="[\w-]{43}"\/>/);
    expect(body).toContain(`/carrier-calls/${uuid}/continue</Redirect>`);
    expect(row).toMatchObject({ status: 'in-progress', startedAt: expect.any(Date) });
    expect(row.agentMemberId).not.toBeNull();
  });

  it('answers the same however often it is asked, by POST and by GET, ahead of the answer and after it', async () => {
    const ahead = await ask('ringing');
    expect(await call.row()).toMatchObject({ status: 'ringing', startedAt: null });
    const answers = [
      await ask(),
      await ask(),
      await api.get(path, { CallSid: sid, CallStatus: 'in-progress' }),
    ];

    expect(new Set([ahead.body, ...answers.map(({ body }) => body)]).size).toBe(1);
    expect(await bridgesOf(call.callId)).toMatchObject([{ attempt: 1, beganAt: null }]);
  });

  it('awaits the stream from the answer on, however long before it was asked', async () => {
    const ahead = await ask('queued');
    await workspace.within(async (tx) => {
      const asked = { created_at: new Date(Date.now() - 60_000) };
      await tx('call_bridges').where({ call_id: call.callId }).update(asked);
    });

    expect((await ask()).body).toBe(ahead.body);
    expect(await call.row()).toMatchObject({ status: 'in-progress', endedBy: null });
  });

  it('makes another token once the stream has begun', async () => {
    const first = await ask();
    await workspace.within(async (tx) => {
      await tx('call_bridges').where({ call_id: call.callId }).update({ began_at: new Date() });
    });
    const next = await api.call(`${callbacks}/continue`, { CallSid: sid });

    expect(tokensIn([first.body, next.body])).toHaveLength(2);
    expect(await bridgesOf(call.callId)).toMatchObject([{ attempt: 1 }, { attempt: 2, beganAt: null }]);
  });

  it('hangs up a call that has ended, that is another, or that is not', async () => {
    expect((await ask('in-progress', newSid())).body).toBe(hangUp);
    const elsewhere = workspace.path(`/chats/outbound-call-handler/1/1/${call.callId}`);
    expect((await api.call(elsewhere, { CallSid: sid, CallStatus: 'in-progress' })).body).toBe(hangUp);
    const nowhere = workspace.path('/chats/outbound-call-handler/1/1/999999999');
    expect((await api.call(nowhere, { CallSid: sid })).body).toBe(hangUp);
    await call.reports({ status: 'completed' });
    expect((await ask()).body).toBe(hangUp);
    expect((await api.call(`${callbacks}/continue`, { CallSid: sid })).body).toBe(hangUp);
  });

  it('hangs up when the agent may not speak any more', async () => {
    await workspace.within((tx) =>
      patchChat(tx, call.chatId, { paused: true, pausedReason: 'operator_reply' }),
    );

    expect((await ask()).body).toBe(hangUp);
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ terminationReason: 'handoff' });
  });

  it.each(['model_lost', 'ten streams', 'no stream'])('hangs up after %s', async (what) => {
    await ask();
    await workspace.within(async (tx) => {
      const now = new Date();
      const began = { began_at: now, ended_at: now };
      if (what === 'no stream') {
        const answered = { started_at: new Date(now.getTime() - 60_000) };
        await tx('phone_calls').where({ id: call.callId }).update(answered);
      }
      const changes = {
        model_lost: { ...began, end_reason: 'model_lost' },
        'ten streams': { ...began, end_reason: 'closed', attempt: 10 },
        'no stream': { created_at: new Date(now.getTime() - 60_000) },
      }[what];
      await tx('call_bridges')
        .where({ call_id: call.callId })
        .update(changes ?? {});
    });

    expect((await api.call(`${callbacks}/continue`, { CallSid: sid })).body).toBe(hangUp);
    expect((await call.row()).endedBy).toBe(what === 'model_lost' ? 'model' : 'no_stream');
  });

  it.each([
    { before: 'closed', lasted: 40_000, endedBy: null },
    { before: 'model_lost', lasted: 40_000, endedBy: 'model' },
    // It has talked meanwhile.
    { before: 'model_lost', lasted: 600_000, endedBy: null },
  ])(
    'after a stream that ended as $before, one that lost the model after $lasted ms leaves the call $endedBy',
    async ({ before, lasted, endedBy }) => {
      await ask();
      await workspace.within(async (tx) => {
        const at = (ms: number) => new Date(Date.now() - ms);
        const first = { began_at: at(2_000_000), ended_at: at(1_000_000), end_reason: before };
        await tx('call_bridges').where({ call_id: call.callId }).update(first);
        const { id } = await insertCallBridge(tx, { callId: call.callId, attempt: 2, createdAt: at(lasted) });
        const second = { began_at: at(lasted), ended_at: at(0), end_reason: 'model_lost' };
        await tx('call_bridges').where({ id }).update(second);
      });

      await api.call(`${callbacks}/continue`, { CallSid: sid });

      expect((await call.row()).endedBy).toBe(endedBy);
    },
  );

  it('takes in statuses of the current attempt, and who has answered', async () => {
    const status = { CallSid: sid, CallStatus: 'busy' };
    expect(await api.call(`${callbacks}/status?attempt=2`, status)).toMatchObject({ status: 204 });
    expect(await call.row()).toMatchObject({ finishedAt: null });
    await api.call(`${callbacks}/machine-detection`, { CallSid: sid, AnsweredBy: 'human' });
    const ended = { CallSid: sid, CallStatus: 'completed', CallDuration: '62' };
    await api.call(`${callbacks}/status?attempt=1`, ended);
    await api.call(`${callbacks}/status?attempt=1`, status);

    expect(await call.row()).toMatchObject({
      status: 'completed',
      answeredBy: 'human',
      durationSeconds: 62,
    });
  });

  it('takes in that a stream had an error', async () => {
    await ask();
    await workspace.within(async (tx) => {
      const ended = { stream_id: 'MZ01', began_at: new Date(), ended_at: new Date(), end_reason: 'closed' };
      await tx('call_bridges').where({ call_id: call.callId }).update(ended);
    });
    const report = { CallSid: sid, StreamSid: 'MZ01', StreamEvent: 'stream-error' };
    await api.call(`${callbacks}/stream-status`, report);
    await call.reports({ status: 'completed' });

    expect(await call.row()).toMatchObject({ failureDetail: 'stream_reset', terminationReason: null });
  });

  it('takes in that a stream had an error also before it was closed by that', async () => {
    await ask();
    const [{ id } = { id: 0 }] = await bridgesOf(call.callId);
    await workspace.within((tx) => patchCallBridge(tx, id, { streamId: 'MZ02', beganAt: new Date() }));
    const report = { CallSid: sid, StreamSid: 'MZ02', StreamEvent: 'stream-error' };
    await api.call(`${callbacks}/stream-status`, report);
    await workspace.within((tx) => endCallBridge(tx, id, 'closed', new Date()));
    await call.reports({ status: 'completed' });

    expect(await call.row()).toMatchObject({ failureDetail: 'stream_reset', terminationReason: null });
  });

  it('is refused without the signature of the carrier', async () => {
    const form = { CallSid: sid, CallStatus: 'in-progress' };
    const signed = { form: { ...form, CallStatus: 'ringing' } };
    for (const given of [undefined, { token: 'a guess' }, signed]) {
      expect(await api.callUnsigned(path, form, given)).toMatchObject({ status: 401 });
    }
    expect(await call.row()).toMatchObject({ status: 'pending' });
  });
});

describe('an incoming call', () => {
  let number: PhoneNumberRow;
  let phone: string;
  beforeEach(async () => {
    number = await addPhoneNumber(workspace, { voiceEnabled: true });
    phone = uniquePhone();
  });
  const callIn = (CallSid = newSid(), more: Record<string, string> = {}) =>
    api.call('/carrier-calls/inbound', { CallSid, From: phone, To: number.number, ...more });

  it('of an unknown caller makes a member, whose number stays unproved, and a chat with the workflow of the number', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    number = await addPhoneNumber(workspace, { voiceEnabled: true, inboundWorkflowId: workflowId });
    const sid = newSid();
    const { status, body } = await callIn(sid);

    expect(status).toBe(200);
    expect(body).toContain('<Stream ');
    const call = await atCarrier(sid);
    const member = await workspace.within((tx) => findMemberByPhone(tx, phone));
    expect(call).toMatchObject({
      inbound: true,
      status: 'in-progress',
      memberId: member?.id,
      remoteNumber: phone,
      startedAt: expect.any(Date),
    });
    expect(await chatOf(call)).toMatchObject({ channel: 'phone-voice', chatType: 'workflow' });
    const address = { memberId: member?.id ?? 0, channel: 'phone', address: phone } as const;
    expect(await workspace.within((tx) => isUnprovedIdentifier(tx, address))).toBe(true);
  });

  it('is taken once, also if the carrier asks twice at a time', async () => {
    const sid = newSid();
    const answers = await Promise.all([callIn(sid), callIn(sid), callIn(sid)]);

    expect(tokensIn(answers.map(({ body }) => body))).toHaveLength(1);
    const rows = await workspace.within((tx) => tx('phone_calls').where({ carrier_call_id: sid }));
    expect(rows).toHaveLength(1);
  });

  it('ends by the status callback of its number, once', async () => {
    const sid = newSid();
    await callIn(sid);
    const report = (CallStatus: string, CallSid = sid) =>
      api.call('/carrier-calls/status', { CallSid, To: number.number, CallStatus, CallDuration: '7' });
    expect((await report('completed', newSid())).status).toBe(204);
    expect((await report('completed')).status).toBe(204);
    await report('failed');

    expect(await atCarrier(sid)).toMatchObject({ status: 'completed', durationSeconds: 7 });
  });

  it('belongs to the chat in which the caller was called, until that is archived', async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    phone = member.row.phone ?? '';
    const chat = await stageFreeChat(workspace, { member });
    const placed = await stageCall(workspace, new MovedClock(), chat.chatId);
    await placed.advance();
    const { phoneNumberId } = await placed.row();
    number = (await workspace.within((tx) =>
      tx('phone_numbers').where({ id: phoneNumberId }).first(),
    )) as PhoneNumberRow;

    const early = await callIn();
    expect(early.body).toBe(busy);
    await placed.reports({ status: 'no-answer' });
    const sid = newSid();
    await callIn(sid);
    expect(await atCarrier(sid)).toMatchObject({ chatId: chat.chatId, memberId: member.memberId });
    await api.call(workspace.path(`/carrier-calls/${(await atCarrier(sid)).uuid}/status`), {
      CallSid: sid,
      CallStatus: 'completed',
    });
    await chat.update({ archived: true });
    const later = newSid();
    await callIn(later);
    expect((await atCarrier(later)).chatId).not.toBe(chat.chatId);
  });

  it('does not go into the chat of the member who had the number before', async () => {
    const before = await addMember(workspace, { values: { phone } });
    const sid = newSid();
    await callIn(sid);
    const first = await atCarrier(sid);
    expect(first.memberId).toBe(before.memberId);
    await api.call('/carrier-calls/status', { CallSid: sid, To: number.number, CallStatus: 'completed' });
    await updateMember(workspace.context(), before.memberId, { phone: uniquePhone() });
    const again = newSid();
    await callIn(again);

    const call = await atCarrier(again);
    const caller = await workspace.within((tx) => findMemberByPhone(tx, phone));
    expect(caller?.id).not.toBe(before.memberId);
    expect(call).toMatchObject({ memberId: caller?.id, status: 'in-progress' });
    expect(await chatOf(call)).toMatchObject({ memberId: caller?.id });
  });

  it('from a number of the service is rejected, as two agents would talk with each other', async () => {
    const { number: From } = await addPhoneNumber(workspace, { voiceEnabled: true });
    const sid = newSid();
    expect((await callIn(sid, { From })).body).toBe(rejected);
    expect(await atCarrier(sid)).toMatchObject({ terminationReason: 'voice_disabled', chatId: null });
  });

  it.each([
    'anonymous',
    'Restricted',
    '+266696687',
    '+86282452253',
    '86282452253',
    '+7378742833',
    '2562533',
    '+8656696',
    '',
  ])('from %j is rejected as anonymous', async (From) => {
    const sid = newSid();
    const { body } = await callIn(sid, { From });

    expect(body).toBe(rejected);
    expect(await atCarrier(sid)).toMatchObject({
      chatId: null,
      memberId: null,
      remoteNumber: null,
      status: 'canceled',
      terminationReason: 'anonymous_rejected',
      settledAt: expect.any(Date),
    });
    expect((await callIn(sid, { From })).body).toBe(rejected);
  });

  it('is rejected where voice is disabled, and where no workspace has the number', async () => {
    number = await addPhoneNumber(workspace, { voiceEnabled: false });
    const sid = newSid();
    expect((await callIn(sid)).body).toBe(rejected);
    expect(await atCarrier(sid)).toMatchObject({ terminationReason: 'voice_disabled', chatId: null });
    expect(await workspace.within((tx) => findMemberByPhone(tx, phone))).toBeUndefined();
    expect((await callIn(newSid(), { To: '+12025550199' })).body).toBe(rejected);
  });

  describe('outside of business hours', () => {
    const never = { windows: [], closedDates: [], outside: 'closed', closedText: null } as const;
    const always = { ...never, windows: [{ days: [...weekdays], from: '00:00', to: '00:00' }] };
    const setHours = (table: 'phone_numbers' | 'identity.workspaces', id: number, hours: object | null) =>
      workspace.within(async (tx) => {
        await tx(table)
          .where({ id })
          .update({ business_hours: hours && JSON.stringify(hours) });
      });
    afterEach(() => setHours('identity.workspaces', workspace.workspaceId, null));

    it('is told so and ends, however often the carrier asks, and makes no member', async () => {
      await setHours('phone_numbers', number.id, never);
      const sid = newSid();
      const { body } = await callIn(sid);
      expect(body).toMatch(/<Say language="en-US">[^<]+ closed [^<]+<\/Say><Hangup\/>/);
      expect((await callIn(sid)).body).toBe(body);
      const report = { CallSid: sid, To: number.number, CallStatus: 'completed', CallDuration: '9' };
      await api.call('/carrier-calls/status', report);
      await api.call('/carrier-calls/status', { ...report, CallStatus: 'failed' });

      const { id, ...row } = await atCarrier(sid);
      expect(row).toMatchObject({
        ...{ chatId: null, memberId: null, remoteNumber: phone, status: 'completed' },
        ...{ terminationReason: 'voice_disabled', blockedReason: 'closed', failureDetail: null },
        ...{ carrierStatus: 'completed', durationSeconds: 9, startedAt: expect.any(Date) },
        ...{ finishedAt: expect.any(Date), settledAt: expect.any(Date), billDueAt: null },
      });
      expect(await bridgesOf(id)).toEqual([]);
      expect(await workspace.within((tx) => findMemberByPhone(tx, phone))).toBeUndefined();
    });

    it('hears a usual sentence in the language of the member, or the text of the workspace', async () => {
      const member = await addMember(workspace, { values: { phone, locale: 'de' } });
      await setHours('identity.workspaces', workspace.workspaceId, never);
      const sid = newSid();
      expect((await callIn(sid)).body).toMatch(/<Say language="de-DE">[^<]+geschlossen/);
      expect(await atCarrier(sid)).toMatchObject({ memberId: member.memberId, chatId: null });
      const closedText = 'This is {{ workspace.name }} & {{ phone_number.name }}.';
      await setHours('identity.workspaces', workspace.workspaceId, { ...never, closedText });
      const { name } = await workspaceRow();
      const said = `<Say language="en-US">This is ${name} &amp; ${number.name}.</Say><Hangup/>`;
      expect((await callIn()).body).toContain(said);
    });

    it('is taken where the number has other hours, or the agent answers all the same', async () => {
      await setHours('identity.workspaces', workspace.workspaceId, never);
      await setHours('phone_numbers', number.id, always);
      expect((await callIn()).body).toContain('<Stream ');
      phone = uniquePhone();
      await setHours('phone_numbers', number.id, { ...never, outside: 'agent' });
      expect((await callIn()).body).toContain('<Stream ');
    });

    it('is busy after as many as are told within an hour', async () => {
      await setHours('phone_numbers', number.id, never);
      await workspace.within((tx) =>
        tx.raw(
          `insert into phone_calls (workspace_id, phone_number_id, inbound, begun_by, remote_number, status, ended_by,
             finished_at, settled_at)
           select ?, ?, true, 'caller', '+120255501' || n, 'completed', 'closed', now(), now()
           from generate_series(10, 9 + ?) as n`,
          [workspace.workspaceId, number.id, maxClosedAnHour],
        ),
      );
      expect((await callIn()).body).toBe(busy);
    });
  });

  it('in a chat that a person has taken over is rejected, and that person is alerted', async () => {
    const sid = newSid();
    await callIn(sid);
    const first = await atCarrier(sid);
    const status = workspace.path(`/carrier-calls/${first.uuid}/status`);
    await api.call(status, { CallSid: sid, CallStatus: 'completed' });
    await workspace.within((tx) =>
      patchChat(tx, first.chatId ?? 0, { paused: true, pausedReason: 'handoff' }),
    );
    const again = newSid();

    expect((await callIn(again)).body).toBe(rejected);
    expect((await callIn(again)).body).toBe(rejected);
    expect(await atCarrier(again)).toMatchObject({ terminationReason: 'handoff', chatId: first.chatId });
    expect(await chatOf(first)).toMatchObject({ needsResponse: true, needsResponseReason: 'agent_silent' });
  });

  it('is busy after as many of one caller as an hour allows', async () => {
    await workspace.within((tx) =>
      tx.raw(
        `insert into phone_calls (workspace_id, phone_number_id, inbound, begun_by, remote_number, status, finished_at, settled_at)
         select ?, ?, true, 'caller', ?, 'completed', now(), now() from generate_series(1, ?)`,
        [workspace.workspaceId, number.id, phone, maxCallsOfCallerAnHour],
      ),
    );
    expect((await callIn()).body).toBe(busy);
  });
});

function tokensIn(answers: readonly string[]): string[] {
  return [...new Set(answers.map((body) => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? 'none'))];
}
