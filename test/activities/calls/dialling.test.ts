import { describe, expect, it } from 'vitest';
import { patchChat } from '../../../db/conversations/chats.js';
import {
  answerWithinMs,
  dialWithinMs,
  lookUpDelaysMs,
  unansweredForMs,
} from '../../../domain/calls/call-times.js';
import { callsPerDay, refusalOfPlace, workspaceCallsPerDay } from '../../../domain/calls/safety-gate.js';
import { updateMember } from '../../../domain/people/members/update-member.js';
import {
  CarrierBusy,
  CarrierOutcomeUnknown,
  CarrierRefused,
  CarrierUnusable,
} from '../../../providers/carrier/carrier.js';
import { ScriptedCalls, stageCall } from '../../support/calls/staged-call.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { namesOf, toldDuring } from '../../support/webhooks/told-events.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember } from '../../support/workspace/factories.js';
import { useCalls } from './use-calls.js';

const { stage, clock, member, chat, place, at } = useCalls();

describe('dialling', () => {
  it('asks the carrier once, and waits for an answer', async () => {
    const call = await place();

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(answerWithinMs), for: 'answer' });

    const row = await call.row();
    expect(row).toMatchObject({ status: 'pending', attempts: 1, dialedAt: clock.now() });
    const { workspaceUuid } = stage.workspace;
    expect(call.calls.created).toMatchObject([
      {
        to: member.row.phone,
        url: `https://service.example.com/api/v2/w/${workspaceUuid}/chats/outbound-call-handler/${row.phoneNumberId}/${chat.chatId}/${call.callId}`,
        statusCallback: `https://service.example.com/api/v2/w/${workspaceUuid}/carrier-calls/${row.uuid}/status?attempt=1`,
      },
    ]);
    // A worker that dies before it knows: the step is taken again.
    await call.advance();
    expect(call.calls.created).toHaveLength(1);
  });

  it('is not repeated when its answer is lost: the call is looked for', async () => {
    const calls = new ScriptedCalls();
    calls.answers.create = () => {
      throw new CarrierOutcomeUnknown('timeout');
    };
    const call = await place(calls);
    const [first = 0, second = 0] = lookUpDelaysMs;

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(first), for: 'outcome' });
    clock.advance(first);
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(second - first), for: 'outcome' });
    calls.answers.find = () => ({ carrierCallId: `CAfound${call.callId}`, status: 'ringing' });
    clock.advance(second - first);
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'answer' });

    expect(await call.row()).toMatchObject({ status: 'ringing', carrierCallId: `CAfound${call.callId}` });
    expect(calls.created).toHaveLength(1);
  });

  it('ends with an unknown outcome when no look-up finds the call, and what comes later is taken in', async () => {
    const calls = new ScriptedCalls();
    calls.answers.create = () => {
      throw new CarrierOutcomeUnknown('unreadable_answer');
    };
    const call = await place(calls);
    for (const _ of [...lookUpDelaysMs, 0]) {
      await call.advance();
      clock.advance(Math.max(...lookUpDelaysMs));
    }

    expect(await call.row()).toMatchObject({
      status: 'failed',
      terminationReason: null,
      carrierStatus: null,
      failureDetail: 'bridge_call_create_missing_sid',
    });
    await call.reports({ status: 'no-answer', carrierCallId: `CAlate${call.callId}` });
    expect(await call.row()).toMatchObject({ status: 'no-answer', carrierStatus: 'no-answer' });
    expect(calls.created).toHaveLength(1);
  });

  it('takes the id of the call from a callback that comes before the answer', async () => {
    const calls = new ScriptedCalls();
    calls.answers.create = () => {
      throw new CarrierOutcomeUnknown('timeout');
    };
    const call = await place(calls);
    await call.advance();
    await call.reports({ status: 'ringing', carrierCallId: `CAearly${call.callId}` });

    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'answer' });
    expect(await call.row()).toMatchObject({ carrierCallId: `CAearly${call.callId}`, outcomeUnknown: false });
  });

  it('ends when the call could not be looked for in time, because the carrier takes no requests', async () => {
    const calls = new ScriptedCalls();
    calls.answers.create = () => {
      throw new CarrierOutcomeUnknown('timeout');
    };
    calls.answers.find = () => {
      throw new CarrierUnusable('20003');
    };
    const call = await place(calls);
    await call.advance();
    clock.advance(Math.max(...lookUpDelaysMs));
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'carrier_unusable' });
    clock.advance(unansweredForMs);

    expect(await call.advance()).toEqual({ kind: 'ended', status: 'failed', failure: 'timeout' });
    expect(calls.created).toHaveLength(1);
  });

  it('does not dial from a number whose calls were switched off meanwhile', async () => {
    const calls = new ScriptedCalls();
    calls.answers.create = () => {
      throw new CarrierBusy('http_429', 5_000);
    };
    const call = await place(calls);
    await call.advance();
    const { phoneNumberId } = await call.row();
    await call.inCall((tx) =>
      tx('phone_numbers').where({ id: phoneNumberId }).update({ voice_enabled: false }),
    );

    expect(await call.advance()).toEqual({ kind: 'ended', status: 'canceled', reason: 'voice_disabled' });
    expect(calls.created).toHaveLength(1);
  });

  it('does not ring a member who would be hung up on, as no agent may speak in the chat', async () => {
    const call = await place();
    await call.inCall((tx) => patchChat(tx, chat.chatId, { paused: true, pausedReason: 'operator_reply' }));

    expect(await call.advance()).toEqual({ kind: 'ended', status: 'canceled', reason: 'handoff' });
    expect(call.calls.created).toEqual([]);
  });

  it('ends when the carrier refuses', async () => {
    const calls = new ScriptedCalls();
    calls.answers.create = () => {
      throw new CarrierRefused('21211', 400);
    };
    const call = await place(calls);

    expect(await call.advance()).toEqual({
      kind: 'ended',
      status: 'failed',
      failure: 'bridge_call_create_failed',
    });
    expect(await call.row()).toMatchObject({ carrierStatus: 'failed', settledAt: clock.now() });
  });

  it.each([
    ['is busy', () => new CarrierBusy('http_429', 5_000), 'carrier', 1],
    ['cannot be used', () => new CarrierUnusable('20003'), 'carrier_unusable', 0],
  ] as const)(
    'waits while the carrier %s, until nobody expects the call',
    async (_, error, kind, counted) => {
      const calls = new ScriptedCalls();
      calls.answers.create = () => {
        throw error();
      };
      const call = await place(calls);

      expect(await call.advance()).toMatchObject({ kind: 'wait', for: kind });
      expect(await call.row()).toMatchObject({ claimedAt: null, attempts: counted, finishedAt: null });
      clock.advance(dialWithinMs);
      expect(await call.advance()).toEqual({ kind: 'ended', status: 'failed', failure: 'timeout' });
      expect(calls.created).toHaveLength(1);
    },
  );
});

describe('the safety gate', () => {
  const blocked = async (reason: string) => {
    const call = await place();
    const told = await toldDuring(stage.workspace, async () => {
      expect(await call.advance()).toEqual({
        kind: 'ended',
        status: 'canceled',
        reason: 'blocked_outbound_safety',
      });
    });
    expect(call.calls.created).toEqual([]);
    expect(await call.row()).toMatchObject({ blockedReason: reason, carrierStatus: null, attempts: 0 });
    expect(namesOf(told)).toEqual(['call:completed']);
  };
  const superuser = (text: string, values: unknown[]) =>
    stage.database.database.inWorkspace(stage.workspace.workspaceId, (tx) => tx.raw(text, values as never));

  it('blocks a call to a member who has said STOP by SMS', async () => {
    await superuser('update members set sms_opted_out_at = now() where id = ?', [member.memberId]);
    await blocked('opted_out');
  });

  it('blocks a call to a member who wants none', async () => {
    await updateMember(stage.workspace.context(), member.memberId, { notifyVoice: false });
    await blocked('notifications_disabled');
  });

  it('blocks a call to another country than that of the number, and to a number that costs more', async () => {
    await superuser('update members set phone = ? where id = ?', ['+442079460123', member.memberId]);
    await blocked('country_not_allowed');
    const { workspaces } = stage.database.database.identity;
    await workspaces.update(stage.workspace.workspaceId, { callCountries: ['GB'] });
    const call = await place();
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'answer' });
    await call.reports({ status: 'busy' });
    await workspaces.update(stage.workspace.workspaceId, { callCountries: null });
    await superuser('update members set phone = ? where id = ?', ['+19005550100', member.memberId]);
    await blocked('premium_number');
  });

  it('blocks a call to a number of the service, whose agent would talk with itself', async () => {
    const own = await addPhoneNumber(stage.workspace, { voiceEnabled: true });
    await superuser('update members set phone = ? where id = ?', [own.number, member.memberId]);
    await blocked('number_of_service');
  });

  it('dials a number once at a time, of the calls of all chats to it that are claimed at once', async () => {
    const calls = [];
    for (let chats = 0; chats < 4; chats += 1) {
      const other = await addMember(stage.workspace);
      const { chatId } = await stageFreeChat(stage.workspace, { member: other });
      calls.push(await stageCall(stage.workspace, clock, chatId));
    }
    // As two members have it who swap their phones.
    const ids = calls.map(({ callId }) => callId);
    await superuser('update phone_calls set remote_number = ? where id = any(?)', ['+12125550242', ids]);
    await Promise.all(calls.map((call) => call.advance()));

    const reasons = await Promise.all(calls.map(async (call) => (await call.row()).blockedReason));
    expect(reasons.sort()).toEqual(['call_in_progress', 'call_in_progress', 'call_in_progress', null]);
    expect(calls.flatMap((call) => call.calls.created)).toHaveLength(1);
  });

  it('is asked for once at a time to a number, also in two chats at once', async () => {
    const chats = [chat, await stageFreeChat(stage.workspace, { member })];
    const asked = await Promise.allSettled(
      chats.map(({ chatId }) => stageCall(stage.workspace, clock, chatId)),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(asked.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { message: 'call_in_progress' },
    });
  });

  it.each([
    ['+447012345678', '+442079460123', 'premium_number'],
    ['+447400123456', '+442079460123', undefined],
  ])('says of %s, called from %s: %s', (to, from, refusal) => {
    expect(refusalOfPlace(to, from)).toBe(refusal);
  });

  it('blocks a call after as many to the number as a day allows, or as the workspace says', async () => {
    for (let dialled = 0; dialled < callsPerDay.usual; dialled += 1) {
      const call = await place();
      await call.advance();
      await call.reports({ status: 'busy' });
    }
    await blocked('daily_attempts');
    const { workspaces } = stage.database.database.identity;
    await workspaces.update(stage.workspace.workspaceId, { callsPerDay: callsPerDay.usual + 1 });
    const call = await place();
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'answer' });
    await call.reports({ status: 'busy' });
    await blocked('daily_attempts');
    await workspaces.update(stage.workspace.workspaceId, { callsPerDay: 20, workspaceCallsPerDay: 1 });
    await blocked('workspace_daily_cap');
    await workspaces.update(stage.workspace.workspaceId, {
      callsPerDay: callsPerDay.usual,
      workspaceCallsPerDay: workspaceCallsPerDay.usual,
    });
  });

  it('blocks a call in quiet hours, unless the member has just written', async () => {
    const { workspaceId } = stage.workspace;
    const { workspaces } = stage.database.database.identity;
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
    const hour = (offset: number) =>
      `${String((clock.now().getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`;
    await workspaces.update(workspaceId, { quietHours: { from: hour(-2), to: hour(3), days: [...days] } });
    try {
      await blocked('quiet_hours');
      await chat.memberWrites('Please call me.');
      const call = await place();
      expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'answer' });
    } finally {
      await workspaces.update(workspaceId, { quietHours: null });
    }
  });

  it('blocks a call when the credits of the month are used up', async () => {
    await superuser(
      `insert into credit_budgets (workspace_id, monthly_credits, updated_at) values (?, 1, now())`,
      [stage.workspace.workspaceId],
    );
    await superuser(
      `insert into credit_months (workspace_id, month, credits) values (?, to_char(now(), 'YYYY-MM'), 1)`,
      [stage.workspace.workspaceId],
    );
    try {
      await blocked('credit_budget');
    } finally {
      await superuser('delete from credit_budgets', []);
    }
  });
});
