import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { selectBridgesOfCall } from '../../../db/calls/call-bridges.js';
import { findRecordingOfCall, selectRecordingSegments } from '../../../db/calls/call-recordings.js';
import { lockPhoneCall } from '../../../db/calls/phone-calls.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import { commandBridge } from '../../../domain/calls/bridges/command-bridge.js';
import { pokeIfUnreported } from '../../../domain/calls/bridges/lease.js';
import { systemClock } from '../../../domain/lib/clock.js';
import type { BridgeEndReason, CarrierStream } from '../../../media/bridge/ports.js';
import { SegmentKeeper } from '../../../media/recorder/segment-keeper.js';
import { CallKeeper, type HeldCall } from '../../../media/sessions/call-keeper.js';
import { type AnsweredCall, answeredCall, tokens } from '../../support/calls/answered-call.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

interface Conducted {
  call: HeldCall;
  end(reason: BridgeEndReason): void;
  fail(error: Error): void;
}

/** A process of its own, whose bridges the test conducts. */
function keeperOn(unreportedForMs = 600_000) {
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  const told = { refused: [] as string[], failed: [] as unknown[], ended: [] as string[] };
  const conducted: Conducted[] = [];
  const context = { db: workspace.database, clock: systemClock };
  const processId = randomUUID();
  const segments = new SegmentKeeper({
    context,
    storage,
    onLost: () => {},
    onStored: () => {},
    delaysMs: [],
  });
  const keeper = new CallKeeper({
    context,
    admission: { tokens, processId, callsPerWorkspace: 1_000 },
    segments,
    conduct: (call) =>
      new Promise((resolve, reject) => {
        const end = (reason: BridgeEndReason) => resolve({ reason });
        conducted.push({ call, end, fail: reject });
        call.signal.addEventListener('abort', () => end(call.signal.reason));
        call.hangUp.addEventListener('abort', () => end('agent_ended'));
      }),
    now: () => performance.now(),
    onRefused: (reason) => void told.refused.push(reason),
    onFailure: (error) => void told.failed.push(error),
    onEnded: (reason) => void told.ended.push(reason),
    unreportedForMs,
  });
  return { keeper, conducted, told, processId, segments };
}

function streamOf(call: AnsweredCall, onClose: () => unknown = () => {}) {
  const state = { isClosed: false, seen: undefined as unknown };
  const { streamId, carrierCallId } = call.start();
  const nothing = () => {};
  const stream: CarrierStream = {
    streamId,
    carrierCallId,
    bufferedBytes: 0,
    listen: nothing,
    sendAudio: nothing,
    sendMark: nothing,
    clear: nothing,
    close() {
      state.isClosed = true;
      state.seen ??= onClose();
    },
    ...{ pause: nothing, resume: nothing },
  };
  return { stream, state };
}

const startOf = (call: AnsweredCall) => ({ event: 'start' as const, isPlayable: true, ...call.start() });
const until = (what: string, condition: () => boolean) => waitFor(what, condition);

/** A call whose stream a process holds. */
async function held(process = keeperOn()) {
  const call = await answeredCall(workspace);
  const read = () => workspace.within((tx) => selectBridgesOfCall(tx, call.callId));
  const { stream, state } = streamOf(call, read);
  const before = process.conducted.length;
  process.keeper.admit(startOf(call), stream);
  await until('the call is conducted', () => process.conducted.length > before);
  return { ...process, call, stream, state, one: process.conducted[before] as Conducted };
}

const pokesOf = async ({ callUuid }: AnsweredCall) => {
  const waiting = await workspace.within((tx) => subjectsWaiting(tx, 'runVoiceCall', [callUuid]));
  return waiting.size;
};

describe('a call', () => {
  it('is held until its bridge ends, and is held no more before its stream is closed', async () => {
    const { keeper, one, call, state, told } = await held();
    expect(keeper.size).toBe(1);
    one.end('agent_ended');
    await keeper.ended();
    expect({ size: keeper.size, told }).toEqual({
      size: 0,
      told: { refused: [], failed: [], ended: ['agent_ended'] },
    });
    // What the carrier's next question, which follows the end of the stream, finds.
    expect(await state.seen).toMatchObject([{ attempt: 1, endReason: 'agent_ended' }]);
    // The carrier asks or reports then.
    expect(await pokesOf(call)).toBe(0);
  });

  it('is recorded on both sides', async () => {
    const { keeper, one, call, segments: storing } = await held();
    const payload = Buffer.alloc(160, 7).toString('base64');
    for (let stamp = 0; stamp < 200; stamp += 20) one.call.recorder?.heard(payload, stamp);
    one.call.recorder?.spoke(payload);
    one.end('caller_left');
    await keeper.ended();
    await storing.end();
    const segments = await workspace.within(async (tx) => {
      const recording = await findRecordingOfCall(tx, call.callId);
      return selectRecordingSegments(tx, recording?.id ?? 0);
    });
    expect(segments).toMatchObject([{ startFrame: 0 }]);
    expect(segments[0]?.frames).toBeGreaterThanOrEqual(1_600);
  });

  it('is left when its bridge fails: the lease ends, the stream is closed, and it is told', async () => {
    const { keeper, one, call, state, told } = await held();
    const failure = new Error('a mistake');
    one.fail(failure);
    await keeper.ended();
    expect(told).toEqual({ refused: [], failed: [failure], ended: ['failed'] });
    expect(state.isClosed).toBe(true);
    expect(await call.bridges()).toMatchObject([{ endReason: 'failed' }]);
    expect(await pokesOf(call)).toBe(1);
  });

  it('is not taken with a token that was used', async () => {
    const { keeper, call, told, conducted } = await held();
    const second = streamOf(call);
    keeper.admit(startOf(call), second.stream);
    await until('it is closed', () => second.state.isClosed);
    expect({ refused: told.refused, conducted: conducted.length }).toEqual({
      refused: ['token_used'],
      conducted: 1,
    });
  });
});

describe('the run of a call whose stream has ended', () => {
  it('is poked if the carrier reports no end', async () => {
    const { one, call } = await held(keeperOn(1));
    one.end('caller_left');
    await waitFor('the run is poked', async () => (await pokesOf(call)) === 1);
  });

  it('is left alone once the end is reported, or the carrier was answered again', async () => {
    const context = { db: workspace.database };
    const { workspaceId } = workspace;
    const [reported, returned] = [await held(), await held()];
    for (const { keeper, one } of [reported, returned]) {
      one.end('caller_left');
      await keeper.ended();
    }
    await reported.call.finish();
    await returned.call.nextAttempt();
    for (const { call } of [reported, returned]) {
      await pokeIfUnreported(context, { workspaceId, callId: call.callId, attempt: 1 });
      expect(await pokesOf(call)).toBe(0);
    }
  });
});

describe('a look', () => {
  it('renews leases, and ends the bridge of a call that another process has begun to hold', async () => {
    const [one, other] = [await held(), keeperOn()];
    const kept = await held(one);
    await one.call.nextAttempt();
    other.keeper.admit(startOf(one.call), streamOf(one.call).stream);
    await until('the other process holds it', () => other.conducted.length === 1);
    const before = (await kept.call.bridges())[0]?.heartbeatAt as Date;
    one.keeper.look();
    await until('it has ended', () => one.told.ended.length === 1);
    expect(one.told.ended).toEqual(['superseded']);
    expect((await kept.call.bridges())[0]?.heartbeatAt?.getTime()).toBeGreaterThan(before.getTime());
    expect(kept.one.call.signal.aborted).toBe(false);
    expect(await one.call.bridges()).toMatchObject([{ endReason: 'superseded' }, { endedAt: null }]);
  });

  it.each([
    ['hang_up', 'agent_ended'],
    ['transfer', 'commanded'],
  ] as const)('passes on what the run wants, and says so: %s', async (command, endReason) => {
    const { keeper, one, call, told } = await held();
    await workspace.within(async (tx) => {
      await lockPhoneCall(tx, call.callId);
      await commandBridge(tx, call.callId, command, new Date());
    });
    keeper.look();
    keeper.look();
    await until('it has ended', () => told.ended.length === 1);
    expect(one.call.hangUp.aborted).toBe(command === 'hang_up');
    expect(await call.bridges()).toMatchObject([{ command, acknowledgedAt: expect.any(Date), endReason }]);
  });

  it('leaves calls alone while the database is away', async () => {
    const failure = new Error('no connection');
    const { keeper, one, told, call } = await held();
    vi.spyOn(workspace.database, 'inWorkspace').mockRejectedValue(failure);
    keeper.look();
    await until('it has failed', () => told.failed.length === 1);
    expect({ failed: told.failed, isStopped: one.call.signal.aborted }).toEqual({
      failed: [failure],
      isStopped: false,
    });
    // Nor does the end of the call depend on it.
    one.end('caller_left');
    await keeper.ended();
    expect(told).toMatchObject({ failed: [failure, failure], ended: ['caller_left'] });
    vi.restoreAllMocks();
    expect(await call.bridges()).toMatchObject([{ endedAt: null }]);
  });
});

it('closes a stream that it cannot admit', async () => {
  const failure = new Error('no connection');
  const { keeper, told } = keeperOn();
  const call = await answeredCall(workspace);
  const { stream, state } = streamOf(call);
  vi.spyOn(workspace.database, 'inWorkspace').mockRejectedValue(failure);
  keeper.admit(startOf(call), stream);
  await keeper.ended();
  expect({ failed: told.failed, isClosed: state.isClosed }).toEqual({ failed: [failure], isClosed: true });
});

it('hands over the calls that are left when its process ends', async () => {
  const { keeper, told, call } = await held();
  keeper.start();
  keeper.stopAll();
  await keeper.ended();
  expect(told.ended).toEqual(['drained']);
  expect(await call.bridges()).toMatchObject([{ endReason: 'drained' }]);
});
