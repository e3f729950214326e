import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findRecordingOfCall } from '../../../../db/calls/call-recordings.js';
import { findPhoneCall, patchPhoneCall, type RecordingConsent } from '../../../../db/calls/phone-calls.js';
import { type AdmittedStream, admitStream } from '../../../../domain/calls/bridges/admit-stream.js';
import { endLease, renewLeases } from '../../../../domain/calls/bridges/lease.js';
import { type AnsweredCall, answeredCall, tokens } from '../../../support/calls/answered-call.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();
const clock = new MovedClock();
const context = () => ({ db: workspace.database, clock });
const processId = randomUUID();

const admit = (start: ReturnType<AnsweredCall['start']>, options = {}) =>
  admitStream(context(), start, { tokens, processId, callsPerWorkspace: 1_000, ...options });

async function admitted(call: AnsweredCall): Promise<AdmittedStream> {
  const found = await admit(call.start());
  if ('refused' in found) throw new Error(found.refused);
  return found;
}

it('gives the stream the lease of its call, and a recording', async () => {
  const call = await answeredCall(workspace);
  const stream = await admitted(call);
  expect(stream).toMatchObject({ callId: call.callId, chatId: call.chatId, attempt: 1 });
  expect(stream.recording).toMatchObject({ streamBeganMs: 0 });
  expect(await call.bridges()).toMatchObject([
    { attempt: 1, processId, streamId: call.start().streamId, beganAt: clock.now(), endedAt: null },
  ]);
});

it('takes a token once, however many streams bring it at once', async () => {
  const call = await answeredCall(workspace);
  const results = await Promise.all([1, 2, 3].map(() => admit(call.start())));
  expect(results.filter((one) => 'refused' in one)).toEqual([
    { refused: 'token_used' },
    { refused: 'token_used' },
  ]);
});

describe('refuses', () => {
  it('what names no call, and calls of other workspaces', async () => {
    const call = await answeredCall(workspace);
    const other = await createWorkspace(database.database);
    const { parameters } = call.start();
    for (const changed of [
      {},
      { ...parameters, workspace: other.workspaceUuid },
      { ...parameters, workspace: randomUUID() },
      { ...parameters, call: randomUUID() },
      { ...parameters, call: `${parameters.call}'` },
      { ...parameters, workspace: '' },
    ]) {
      expect(await admit(call.start(1, { parameters: changed }))).toEqual({ refused: 'unknown_call' });
    }
  });

  it('a call without a chat, and one whose handler was not asked', async () => {
    const call = await answeredCall(workspace);
    await workspace.within((tx) => patchPhoneCall(tx, call.callId, { chatId: null, updatedAt: new Date() }));
    expect(await admit(call.start())).toEqual({ refused: 'unknown_call' });
  });

  it('tokens of other attempts and calls, and none', async () => {
    const [call, other] = [await answeredCall(workspace), await answeredCall(workspace)];
    const { parameters } = call.start();
    for (const token of [other.start().parameters.token, call.start(2).parameters.token, '', 'AAAA']) {
      const given = { ...parameters, token: token ?? '' };
      expect(await admit(call.start(1, { parameters: given }))).toEqual({ refused: 'wrong_token' });
    }
    expect(await admit({ ...call.start(), parameters: { workspace: '', call: '' } })).toEqual({
      refused: 'unknown_call',
    });
  });

  it('another call at the carrier than the token was made for', async () => {
    const call = await answeredCall(workspace);
    expect(await admit(call.start(1, { carrierCallId: 'CA0' }))).toEqual({ refused: 'call_of_another' });
    await workspace.within((tx) =>
      patchPhoneCall(tx, call.callId, { carrierCallId: null, updatedAt: new Date() }),
    );
    expect(await admit(call.start())).toEqual({ refused: 'call_of_another' });
  });

  it('a call that is over', async () => {
    const call = await answeredCall(workspace);
    await call.finish();
    expect(await admit(call.start())).toEqual({ refused: 'call_over' });
  });

  it('calls beyond the places of the workspace, counted across processes, until one is free', async () => {
    const place = await createWorkspace(database.database);
    const calls = await Promise.all([1, 2, 3].map(() => answeredCall(place)));
    const results = await Promise.all(
      calls.map((call) => admit(call.start(), { callsPerWorkspace: 2, processId: randomUUID() })),
    );
    const refused = results.findIndex((one) => 'refused' in one);
    expect(results[refused]).toEqual({ refused: 'workspace_full' });
    expect(results.filter((one) => 'refused' in one)).toHaveLength(1);
    const held = results.find((one): one is AdmittedStream => !('refused' in one));
    await endLease(context(), held as AdmittedStream, 'caller_left');
    const again = calls[refused] as AnsweredCall;
    expect(await admit(again.start(), { callsPerWorkspace: 2 })).toMatchObject({ callId: again.callId });
  });
});

it('does not count calls whose process is gone', async () => {
  const place = await createWorkspace(database.database);
  await admit((await answeredCall(place)).start(), { callsPerWorkspace: 1 });
  const next = await answeredCall(place);
  expect(await admit(next.start(), { callsPerWorkspace: 1 })).toEqual({ refused: 'workspace_full' });
  clock.advance(15_001);
  expect(await admit(next.start(), { callsPerWorkspace: 1 })).toMatchObject({ callId: next.callId });
});

it('ends what processes that have died have left', async () => {
  const place = await createWorkspace(database.database);
  const [left, next] = [await answeredCall(place), await answeredCall(place)];
  await admit(left.start());
  clock.advance(10 * 60_000 + 1);
  await admit(next.start());
  expect(await left.bridges()).toMatchObject([{ endReason: 'lost', endedAt: clock.now() }]);
  expect(await next.bridges()).toMatchObject([{ endedAt: null }]);
});

describe('a later attempt', () => {
  it('ends the lease of the one before, which its process learns', async () => {
    const call = await answeredCall(workspace);
    const first = await admitted(call);
    await call.nextAttempt();
    const second = await admitted(call);
    expect(second.attempt).toBe(2);
    expect(await call.bridges()).toMatchObject([
      { attempt: 1, endReason: 'superseded' },
      { attempt: 2, endedAt: null },
    ]);
    const held = await renewLeases(context(), workspace.workspaceId, processId);
    expect(held.map(({ bridgeId }) => bridgeId)).toContain(second.bridgeId);
    expect(held.map(({ bridgeId }) => bridgeId)).not.toContain(first.bridgeId);
    await endLease(context(), first, 'caller_left');
    expect(await call.bridges()).toMatchObject([{ endReason: 'superseded' }, { endedAt: null }]);
  });

  it('makes the token of the one before worthless', async () => {
    const call = await answeredCall(workspace);
    const earlier = call.start();
    await call.nextAttempt();
    expect(await admit(earlier)).toEqual({ refused: 'wrong_token' });
  });

  it('is recorded where the first one is, at its time', async () => {
    const call = await answeredCall(workspace);
    const first = await admitted(call);
    clock.advance(4_321);
    await call.nextAttempt();
    const second = await admitted(call);
    expect(second.recording).toEqual({ ...first.recording, streamBeganMs: 4_321 });
  });

  it('is not recorded once the recording was deleted', async () => {
    const call = await answeredCall(workspace);
    await admitted(call);
    await workspace.within((tx) => tx('call_recordings').where({ call_id: call.callId }).delete());
    await call.nextAttempt();
    expect((await admitted(call)).recording).toBeUndefined();
  });
});

describe('is recorded', () => {
  const recorded = async (consent: RecordingConsent | null) => {
    const call = await answeredCall(workspace);
    const change = (recordingConsent: RecordingConsent | null) =>
      workspace.within((tx) => patchPhoneCall(tx, call.callId, { recordingConsent, updatedAt: new Date() }));
    await change(consent);
    const { recording } = await admitted(call);
    const row = await workspace.within((tx) => findPhoneCall(tx, call.callId));
    return { isRecorded: recording !== undefined, at: row?.recordingNoticedAt };
  };

  it('after its caller was told, which the stream proves, or has agreed', async () => {
    expect(await recorded('told')).toEqual({ isRecorded: true, at: clock.now() });
    expect(await recorded('agreed')).toMatchObject({ isRecorded: true });
  });

  it.each(['asked', 'refused', 'unanswered', 'machine', null] as const)(
    'never when the consent is %s',
    async (consent) => {
      expect(await recorded(consent)).toEqual({ isRecorded: false, at: null });
    },
  );
});

it('records nothing in a workspace that does not record calls', async () => {
  const place = await createWorkspace(database.database);
  await database.database.identity.workspaces.update(place.workspaceId, { recordCalls: false });
  const call = await answeredCall(place);
  expect((await admitted(call)).recording).toBeUndefined();
  const found = await place.database.readInWorkspace(place.workspaceId, (tx) =>
    findRecordingOfCall(tx, call.callId),
  );
  expect(found).toBeUndefined();
});
