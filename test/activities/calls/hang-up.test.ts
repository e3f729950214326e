import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { patchCallBridge } from '../../../db/calls/call-bridges.js';
import { goodbyeWithinMs, silentForMs } from '../../../domain/calls/call-times.js';
import { endOurPart } from '../../../domain/calls/record-call-news.js';
import { hangUpCall } from '../../../domain/conversations/phone-calls/hang-up-call.js';
import { CarrierBusy } from '../../../providers/carrier/carrier.js';
import { ScriptedCalls, type StagedCall } from '../../support/calls/staged-call.js';
import { useCalls } from './use-calls.js';

const { stage, clock, place } = useCalls();
let calls: ScriptedCalls;
let call: StagedCall;

beforeEach(async () => {
  calls = new ScriptedCalls();
  call = await place(calls);
});

const hangUp = () => hangUpCall(stage.workspace.context(stage.workspace.admin, clock), call.callId);
const pokes = async () => {
  const { uuid } = await call.row();
  return call.inCall((tx) => tx('outbox').where({ subject: uuid, action: 'poke' }));
};
const byAdmin = () => ({ hungUpAt: clock.now(), hungUpByMemberId: stage.workspace.admin.memberId });

it('ends a call that is not dialled at once, and it is never dialled', async () => {
  expect(await hangUp()).toMatchObject({ status: 'canceled', terminationReason: 'hangup', ...byAdmin() });

  expect(await call.advance()).toMatchObject({ kind: 'ended', status: 'canceled' });
  expect(calls.created).toEqual([]);
});

it('does not dial a call later that the carrier did not take when somebody hung up', async () => {
  calls.answers.create = () => {
    throw new CarrierBusy('busy');
  };
  await call.advance();
  await hangUp();
  calls.answers = {};

  expect(await call.advance()).toMatchObject({ kind: 'ended', status: 'canceled' });
  expect(calls.created).toHaveLength(1);
});

it('ends a call that rings at the carrier, whose run it pokes', async () => {
  await call.advance();
  await call.reports({ status: 'ringing' });

  expect(await hangUp()).toMatchObject({ status: 'ringing', ...byAdmin() });
  expect(await pokes()).toHaveLength(1);
  calls.answers.status = () => ({ carrierCallId: 'CA', status: 'ringing' });
  await call.advance();

  expect(calls.ended).toEqual([(await call.row()).carrierCallId]);
});

it('has the process of a call that is up say goodbye, then ends the call at the carrier', async () => {
  await call.advance();
  await call.reports({ status: 'in-progress' });
  await call.bridge({ processId: randomUUID(), beganAt: clock.now(), heartbeatAt: clock.now() });
  call.onCommanded = async () => {
    const bridge = await call.latestBridge();
    await call.inCall((tx) => patchCallBridge(tx, bridge?.id ?? 0, { acknowledgedAt: clock.now() }));
  };
  await hangUp();

  expect(await call.advance()).toMatchObject({ kind: 'wait', for: 'release' });
  expect(await call.latestBridge()).toMatchObject({ command: 'hang_up' });
  clock.advance(goodbyeWithinMs + silentForMs);
  await call.advance();
  expect(calls.redirected).toHaveLength(1);
});

it('ends a call that was transferred at the carrier', async () => {
  await call.advance();
  await call.reports({ status: 'in-progress' });
  await call.inCall((tx, locked) => endOurPart(tx, locked, 'transfer', clock.now()));
  await hangUp();

  await call.advance();

  expect(calls.ended).toHaveLength(1);
  expect(await call.row()).toMatchObject({ endedBy: 'transfer' });
});

it('changes nothing when it is repeated, or the call has ended', async () => {
  await call.advance();
  await call.reports({ status: 'in-progress' });
  const first = await hangUp();
  clock.advance(1_000);
  expect(await hangUp()).toMatchObject({ hungUpAt: first.hungUpAt });
  await call.reports({ status: 'completed' });
  const ended = await call.row();
  expect(ended).toMatchObject({ status: 'completed', terminationReason: 'hangup' });

  await hangUp();

  expect(await call.row()).toEqual(ended);
});
