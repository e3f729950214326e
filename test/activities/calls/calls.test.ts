import { beforeEach, describe, expect, it } from 'vitest';
import { patchCallBridge } from '../../../db/calls/call-bridges.js';
import { insertTransfer, type TransferState } from '../../../db/calls/call-transfers.js';
import { patchChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { acknowledgeWithinMs } from '../../../domain/calls/bridges/command-bridge.js';
import type { CallPrices } from '../../../domain/calls/call-prices.js';
import {
  answerWithinMs,
  billDelaysMs,
  dialWithinMs,
  endGraceMs,
  goodbyeWithinMs,
  longestCallMs,
  lookEveryMs,
  lookUpDelaysMs,
  messageWithinMs,
  silentForMs,
  unansweredForMs,
} from '../../../domain/calls/call-times.js';
import { endOurPart, recordAnsweredBy } from '../../../domain/calls/record-call-news.js';
import { callsPerDay, refusalOfPlace, workspaceCallsPerDay } from '../../../domain/calls/safety-gate.js';
import { instructionsFor } from '../../../domain/conversations/calls/answer-call.js';
import type { Calling } from '../../../domain/conversations/calls/calling.js';
import { observeOccurrences } from '../../../domain/kernel/occurrences.js';
import { updateMember } from '../../../domain/people/members/update-member.js';
import {
  CarrierBusy,
  CarrierOutcomeUnknown,
  CarrierRefused,
  CarrierUnusable,
} from '../../../providers/carrier/carrier.js';
import { ScriptedCalls, stageCall } from '../../support/calls/staged-call.js';
import { type FreeChat, stageFreeChat } from '../../support/chats/free-chat.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { namesOf, toldDuring } from '../../support/webhooks/told-events.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace({ storesEvents: true });
let clock: MovedClock;
let member: TestMember;
let chat: FreeChat;

beforeEach(async () => {
  clock = new MovedClock();
  member = await addMember(stage.workspace, { role: stage.workspace.roles.member });
  chat = await stageFreeChat(stage.workspace, { member });
});

const place = (calls?: ScriptedCalls, prices?: CallPrices) =>
  stageCall(stage.workspace, clock, chat.chatId, calls, prices);
const at = (ms: number) => clock.now().getTime() + ms;

/** A call that is answered. */
async function answeredCall(calls?: ScriptedCalls, prices?: CallPrices) {
  const call = await place(calls, prices);
  await call.advance();
  await call.reports({ status: 'in-progress' });
  return call;
}

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

describe('reports of the carrier', () => {
  it('change nothing when they are late, double or out of order, and tell each change once', async () => {
    const call = await place();
    await call.advance();
    const told = await toldDuring(stage.workspace, async () => {
      for (const status of ['ringing', 'in-progress', 'ringing', 'in-progress', 'initiated']) {
        await call.reports({ status });
      }
      await call.bridge({ endedAt: clock.now(), endReason: 'caller_left' });
      clock.advance(9_000);
      for (const status of ['completed', 'no-answer', 'in-progress', 'completed', 'failed']) {
        await call.reports({ status, durationSeconds: 8 });
      }
    });

    expect(await call.row()).toMatchObject({
      status: 'completed',
      terminationReason: 'completed',
      carrierStatus: 'completed',
      failureDetail: null,
      durationSeconds: 8,
      finishedAt: clock.now(),
    });
    expect(namesOf(told)).toEqual(['call:started', 'call:completed']);
  });

  it('of an end before the answer to dialling are taken in, and the answer changes nothing', async () => {
    const calls = new ScriptedCalls();
    const call = await place(calls);
    const carrierCallId = `CAfast${call.callId}`;
    // The callback overtakes the answer: it finds a claimed call without an id.
    calls.answers.create = () => ({ carrierCallId, status: 'queued' });
    await call.inCall(async (tx) =>
      tx.raw('update phone_calls set attempts = 1 where id = ?', [call.callId]),
    );
    await call.reports({ status: 'busy', carrierCallId });

    expect(await call.advance()).toEqual({ kind: 'ended', status: 'busy' });
    expect(calls.created).toEqual([]);
  });

  it('of another call are ignored', async () => {
    const call = await place();
    await call.advance();
    await call.reports({ status: 'busy', carrierCallId: 'CAofanother' });
    await call.reports({ status: 'on-hold' });

    expect(await call.row()).toMatchObject({ status: 'pending', finishedAt: null });
  });

  it('of an end start a summary if the other side has spoken', async () => {
    const call = await answeredCall();
    await call.inCall((tx) =>
      insertMessage(tx, {
        chatId: chat.chatId,
        role: 'user',
        author: 'member',
        content: 'Hello?',
        callId: call.callId,
        callItemId: 'item_1',
      }),
    );
    await call.reports({ status: 'completed' });

    const { uuid } = await call.row();
    const started = await stage.database.database.inWorkspace(stage.workspace.workspaceId, (tx) =>
      tx('outbox').where({ subject: uuid, run_type: 'summarizeChat' }).pluck('action'),
    );
    expect(started).toEqual(['start']);
  });
});

describe('the deadlines of a run', () => {
  it('ask the carrier about a call that nobody answers, and end it if it still rings', async () => {
    const calls = new ScriptedCalls();
    const call = await place(calls);
    await call.advance();
    await call.reports({ status: 'ringing' });
    const { carrierCallId } = await call.row();
    calls.answers.status = () => ({ carrierCallId: carrierCallId ?? '', status: 'ringing' });
    clock.advance(answerWithinMs);
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(answerWithinMs), for: 'answer' });
    calls.answers.end = () => ({ carrierCallId: carrierCallId ?? '', status: 'ringing' });
    clock.advance(answerWithinMs);
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(silentForMs), for: 'answer' });
    expect(calls.ended).toEqual([carrierCallId]);
    calls.answers.end = () => ({ carrierCallId: carrierCallId ?? '', status: 'canceled' });
    clock.advance(silentForMs);
    expect(await call.advance()).toEqual({ kind: 'ended', status: 'canceled' });
  });

  it('take in the end of a call whose reports were all lost', async () => {
    const calls = new ScriptedCalls();
    const call = await place(calls);
    await call.advance();
    const { carrierCallId } = await call.row();
    calls.answers.status = () => ({ carrierCallId: carrierCallId ?? '', status: 'no-answer' });
    clock.advance(answerWithinMs);

    expect(await call.advance()).toEqual({ kind: 'ended', status: 'no-answer' });
  });

  it('end a call that the carrier does not know any more', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    calls.answers.status = () => undefined;
    clock.advance(silentForMs);

    await call.advance();
    expect(await call.row()).toMatchObject({
      status: 'failed',
      failureDetail: 'error',
      terminationReason: null,
    });
  });

  it('look seldom while the sound is held, and soon when it is not', async () => {
    const call = await answeredCall();
    await call.bridge({});
    const answeredAt = at(0);
    const held = { answeredAt, speaksWith: 'agent' };
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(lookEveryMs), for: 'end', call: held });
    // The process dies: its lease runs out.
    clock.advance(lookEveryMs);
    const silent = { answeredAt, speaksWith: 'nobody' };
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(silentForMs), for: 'end', call: silent });
  });

  it('tell operators of the latest transfer, and whom the caller speaks with', async () => {
    const call = await answeredCall();
    await call.bridge({});
    const add = (state: TransferState, targetName: string) =>
      call.inCall((tx) =>
        insertTransfer(tx, {
          callId: call.callId,
          toolCallId: targetName,
          targetName,
          phoneNumber: '+15550100177',
          ringSeconds: 20,
          facts: 'Words that stay here.',
          state,
        }),
      );
    await add('busy', 'front desk');
    const step = await call.advance();
    expect(step).toMatchObject({
      call: { speaksWith: 'agent', transfer: { to: 'front desk', state: 'busy' } },
    });
    expect(JSON.stringify(step)).not.toMatch(/0100177|Words/);

    await add('answered', 'nurse');
    await call.inCall((tx, locked) => endOurPart(tx, locked, 'transfer', clock.now()));
    expect(await call.advance()).toMatchObject({
      call: { speaksWith: 'transfer', transfer: { to: 'nurse', state: 'answered' } },
    });
  });

  it('end the longest call, with the carrier asked what follows, then told', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    await call.bridge({});
    const { carrierCallId } = await call.row();
    clock.advance(longestCallMs);

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(endGraceMs), for: 'release' });
    expect(calls.redirected).toEqual([carrierCallId]);
    clock.advance(endGraceMs);
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'bill' });
    expect(calls.ended).toEqual([carrierCallId]);
    expect(await call.row()).toMatchObject({ status: 'completed', failureDetail: 'timeout' });
  });

  it('end a transferred call that is longer than the longest, and ask no more than twice a minute', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    await call.inCall((tx, locked) => endOurPart(tx, locked, 'transfer', clock.now()));
    const { carrierCallId } = await call.row();
    let asked = 0;
    calls.answers.status = () => {
      asked += 1;
      return { carrierCallId: carrierCallId ?? '', status: 'in-progress' };
    };
    calls.answers.end = calls.answers.status;
    clock.advance(longestCallMs);
    expect(await call.advance()).toMatchObject({ kind: 'wait', until: at(endGraceMs), for: 'end' });
    clock.advance(endGraceMs);
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(endGraceMs), for: 'release' });
    expect(calls.ended).toEqual([carrierCallId]);
    // Asked what follows, the service would have the target dialled again.
    expect(calls.redirected).toEqual([]);
    clock.advance(endGraceMs);
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(silentForMs), for: 'release' });
    expect(asked).toBeLessThanOrEqual(3);
    clock.advance(unansweredForMs);
    await call.advance();
    expect(await call.row()).toMatchObject({ terminationReason: 'forward', finishedAt: clock.now() });
  });

  it('end a call that the agent has ended, and whose process holds it beyond the longest call', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    await call.inCall((tx, locked) => endOurPart(tx, locked, 'agent', clock.now()));
    clock.advance(longestCallMs);
    await call.bridge({});

    expect(await call.advance()).toMatchObject({ kind: 'wait', until: at(endGraceMs), for: 'end' });
    clock.advance(endGraceMs);
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(endGraceMs), for: 'release' });
    expect(calls.redirected).toHaveLength(1);
  });

  it('give up a call that must be over when the carrier does not answer', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    calls.answers.redirect = () => {
      throw new CarrierUnusable('20003');
    };
    calls.answers.end = calls.answers.redirect;
    clock.advance(longestCallMs);
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'carrier_unusable' });
    clock.advance(unansweredForMs);

    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'bill' });
    expect(await call.row()).toMatchObject({
      status: 'failed',
      carrierStatus: null,
      failureDetail: 'timeout',
      terminationReason: null,
    });
    await call.reports({ status: 'completed', durationSeconds: 7_260 });
    expect(await call.row()).toMatchObject({ status: 'completed', durationSeconds: 7_260 });
  });

  it.each([
    ['machine_end_beep', 'voicemail', null],
    ['fax', null, 'fax_t30_failed'],
  ])('end a call that %s has answered', async (heard, terminationReason, failureDetail) => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    await call.bridge({});
    await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, heard, clock.now()));
    await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, 'human', clock.now()));

    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'release' });
    expect(calls.redirected).toHaveLength(1);
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ answeredBy: heard, terminationReason, failureDetail });
  });

  it.each(['human', 'unknown'])('go on with a call that %s has answered', async (heard) => {
    const call = await answeredCall();
    await call.bridge({});
    await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, heard, clock.now()));

    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'end' });
    expect(await call.row()).toMatchObject({ answeredBy: heard, endedBy: null });
  });

  it('end a call that the agent has ended, whose process died before it could', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    await call.bridge({});
    await call.inCall((tx, locked) => endOurPart(tx, locked, 'agent', clock.now()));
    clock.advance(silentForMs);

    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'release' });
    expect(calls.redirected).toHaveLength(1);
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ terminationReason: 'hangup' });
  });

  it('end a call in a chat that was archived', async () => {
    const call = await answeredCall();
    await call.bridge({});
    await call.inCall((tx) => patchChat(tx, chat.chatId, { archived: true }));

    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'release' });
    expect(await call.row()).toMatchObject({ endedBy: 'handoff' });
  });
});

describe('a process that holds the sound of a call that has to end', () => {
  /** A call that has reached its deadline, or that a machine has answered. @param does what the process does when it is told */
  async function held(ends: 'deadline' | 'machine', does: 'acknowledge' | 'let go' | 'nothing') {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    if (ends === 'deadline') clock.advance(longestCallMs);
    const processId = '0d4a2b6e-5a11-4c55-9f6f-0c8f4d9b3a10';
    await call.bridge({ processId });
    if (ends === 'machine') {
      await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, 'machine_end_beep', clock.now()));
    }
    call.onCommanded = async () => {
      if (does === 'nothing') {
        clock.advance(acknowledgeWithinMs);
        return;
      }
      const { id = 0 } = (await call.latestBridge()) ?? {};
      await call.inCall((tx) =>
        patchCallBridge(tx, id, {
          acknowledgedAt: clock.now(),
          ...(does === 'let go' ? { endedAt: clock.now(), endReason: 'commanded' } : {}),
        }),
      );
    };
    return { call, calls, processId };
  }

  it('is told to say goodbye before the carrier is asked, and only once', async () => {
    const { call, calls, processId } = await held('deadline', 'acknowledge');
    const until = at(goodbyeWithinMs);

    expect(await call.advance()).toEqual({ kind: 'wait', until, for: 'release' });
    expect(await call.advance()).toEqual({ kind: 'wait', until, for: 'release' });
    expect(call.commanded).toEqual([processId]);
    expect(await call.latestBridge()).toMatchObject({ command: 'hang_up' });
    expect([calls.redirected, calls.ended]).toEqual([[], []]);
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ failureDetail: 'timeout', releasedAt: null });
  });

  it('that says goodbye for too long is cut off by the carrier', async () => {
    const { call, calls } = await held('deadline', 'acknowledge');
    await call.advance();
    clock.advance(goodbyeWithinMs);

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(endGraceMs), for: 'release' });
    expect(calls.redirected).toHaveLength(1);
  });

  it('that does not acknowledge within two seconds leaves it to the carrier, in the same step', async () => {
    const { call, calls } = await held('deadline', 'nothing');

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(endGraceMs), for: 'release' });
    expect(calls.redirected).toHaveLength(1);
  });

  it('lets a machine have its message at once, and the carrier asks by itself, or is made to', async () => {
    const { call, calls } = await held('machine', 'let go');

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(silentForMs), for: 'release' });
    expect(await call.latestBridge()).toMatchObject({ command: 'transfer' });
    expect(calls.redirected).toEqual([]);
    clock.advance(silentForMs);
    await call.advance();
    expect(calls.redirected).toHaveLength(1);
  });

  it('lets a machine have its message once, from its beginning to its end', async () => {
    const { call, calls } = await held('machine', 'let go');
    await call.advance();
    const calling = { apiUrl: 'https://service.example.com/api/v2', isAvailable: true } as Calling;
    await call.inCall((tx, locked) =>
      instructionsFor(tx, calling, stage.workspace.workspaceUuid, locked, clock.now()),
    );

    expect(await call.advance()).toEqual({ kind: 'wait', until: at(messageWithinMs), for: 'release' });
    clock.advance(silentForMs);
    expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'release' });
    expect([calls.redirected, calls.ended]).toEqual([[], []]);
    clock.advance(messageWithinMs - silentForMs);
    await call.advance();
    expect(calls.ended).toHaveLength(1);
  });
});

describe('the bill of a call', () => {
  it('is asked for until it is there, and taken in once', async () => {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls);
    await call.reports({ status: 'completed', durationSeconds: 60 });
    const { carrierCallId } = await call.row();
    const [first = 0, second = 0] = billDelaysMs;
    expect(await call.advance()).toEqual({
      kind: 'wait',
      until: at(first),
      for: 'bill',
      ended: { status: 'completed', failure: 'never_connected', seconds: 60 },
    });
    calls.answers.status = () => ({ carrierCallId: carrierCallId ?? '', status: 'completed' });
    clock.advance(first);
    expect(await call.advance()).toMatchObject({ kind: 'wait', until: at(second - first), for: 'bill' });
    calls.answers.status = () => ({
      carrierCallId: carrierCallId ?? '',
      status: 'completed',
      durationSeconds: 61,
      price: { amount: '-0.026', currency: 'USD' },
    });
    clock.advance(second - first);

    expect(await call.advance()).toMatchObject({ kind: 'ended', status: 'completed', seconds: 61 });
    expect(await call.row()).toMatchObject({
      price: 0.026,
      priceUnit: 'USD',
      durationSeconds: 61,
      settledAt: clock.now(),
    });
  });
});

describe('a bill that differs', () => {
  const prices = { currency: 'USD', perMinute: new Map([['outbound', 0.014]]) };
  /** A call of a minute, which is billed with these values. @returns what the operator is told */
  async function billed(bill: object | undefined, callPrices?: CallPrices) {
    const calls = new ScriptedCalls();
    const call = await answeredCall(calls, callPrices);
    clock.advance(60_000);
    await call.reports({ status: 'completed', durationSeconds: 60 });
    const { carrierCallId } = await call.row();
    calls.answers.status = () => bill && { carrierCallId: carrierCallId ?? '', status: 'completed', ...bill };
    const told: string[] = [];
    const stop = observeOccurrences(({ kind, reason }) => told.push(`${kind} ${reason}`));
    for (const delay of billDelaysMs) {
      clock.advance(delay);
      await call.advance();
    }
    stop();
    return { told, row: await call.row() };
  }
  const price = (amount: string) => ({ price: { amount, currency: 'USD' } });

  it('is recorded and told once: how long it lasted, and what it costs', async () => {
    const { told, row } = await billed({ durationSeconds: 95, ...price('-0.028') }, prices);
    expect(row).toMatchObject({
      durationSeconds: 95,
      measuredSeconds: 60,
      price: 0.028,
      expectedPrice: 0.014,
    });
    expect(told).toEqual(['call_bill_differs duration', 'call_bill_differs cost']);
  });

  it('is not told where it is within bounds, or there is no price to compare it with', async () => {
    expect((await billed({ durationSeconds: 66, ...price('-0.028') }, prices)).told).toEqual([]);
    const other = await billed(price('-0.5'), { ...prices, currency: 'EUR' });
    expect(other).toMatchObject({ told: [], row: { expectedPrice: null, price: 0.5 } });
  });

  it('is told where the carrier never bills it, or does not know it', async () => {
    expect((await billed({}, prices)).told).toEqual(['call_bill_differs no_price']);
    expect((await billed(undefined, prices)).told).toEqual(['call_bill_differs unknown_call']);
  });
});

describe('the floor of a chat', () => {
  it('is held until the call has ended, and what is owed goes on then', async () => {
    const call = await answeredCall();
    await chat.memberWrites('I write while I talk.');
    expect(await chat.advance()).toEqual({ kind: 'idle' });
    await call.reports({ status: 'completed' });

    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });

  it('is that of one call', async () => {
    await place();
    await expect(place()).rejects.toThrow('call_in_progress');
  });
});
