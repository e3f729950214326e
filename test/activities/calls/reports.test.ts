import { describe, expect, it } from 'vitest';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { CallPrices } from '../../../domain/calls/call-prices.js';
import { billDelaysMs } from '../../../domain/calls/call-times.js';
import { observeOccurrences } from '../../../domain/kernel/occurrences.js';
import { ScriptedCalls } from '../../support/calls/staged-call.js';
import { namesOf, toldDuring } from '../../support/webhooks/told-events.js';
import { useCalls } from './use-calls.js';

const { stage, clock, chat, place, at, answeredCall } = useCalls();

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
