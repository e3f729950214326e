import { describe, expect, it } from 'vitest';
import { patchCallBridge } from '../../../db/calls/call-bridges.js';
import { insertTransfer, type TransferState } from '../../../db/calls/call-transfers.js';
import { patchChat } from '../../../db/conversations/chats.js';
import { acknowledgeWithinMs } from '../../../domain/calls/bridges/command-bridge.js';
import {
  answerWithinMs,
  checkEveryMs,
  endGraceMs,
  goodbyeWithinMs,
  maxCallMs,
  messageWithinMs,
  silentForMs,
  unansweredForMs,
} from '../../../domain/calls/call-times.js';
import { endOurPart, recordAnsweredBy } from '../../../domain/calls/record-call-news.js';
import { instructionsFor } from '../../../domain/conversations/phone-calls/answer-call.js';
import type { Calling } from '../../../domain/conversations/phone-calls/calling.js';
import { CarrierUnusable } from '../../../providers/carrier/carrier.js';
import { ScriptedCalls } from '../../support/calls/staged-call.js';
import { useCalls } from './use-calls.js';

const { stage, clock, chat, place, at, answeredCall } = useCalls();

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
    expect(await call.advance()).toEqual({ kind: 'wait', until: at(checkEveryMs), for: 'end', call: held });
    // The process dies: its lease runs out.
    clock.advance(checkEveryMs);
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
    clock.advance(maxCallMs);

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
    clock.advance(maxCallMs);
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
    clock.advance(maxCallMs);
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
    clock.advance(maxCallMs);
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
    if (ends === 'deadline') clock.advance(maxCallMs);
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
