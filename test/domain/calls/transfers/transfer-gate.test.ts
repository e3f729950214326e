import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { findOpenTransfer } from '../../../../db/calls/call-transfers.js';
import { insertOptOut } from '../../../../db/channels/sms-opt-outs.js';
import { markAnswered } from '../../../../domain/calls/record-call-news.js';
import { beginTransfer } from '../../../../domain/calls/transfers/answer-transfer.js';
import { requestTransfer } from '../../../../domain/calls/transfers/request-transfer.js';
import { transferBounds } from '../../../../domain/calls/transfers/transfer-gate.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const desk = '+14155550110';
let clock: MovedClock;

beforeEach(async () => {
  clock = new MovedClock();
  await workspace.within((tx) => tx('call_transfers').delete());
  await workspace.database.identity.workspaces.update(workspace.workspaceId, { callCountries: null });
});

/** A call that is up. */
async function onPhone(): Promise<StagedCall> {
  const chat = await stageFreeChat(workspace, { member: await addMember(workspace) });
  const call = await stageCall(workspace, clock, chat.chatId);
  await call.inCall((tx, locked) => markAnswered(tx, locked, clock.now()));
  return call;
}

const transferOf = (call: StagedCall, phoneNumber = desk) =>
  call.inCall((tx, locked) =>
    requestTransfer(
      tx,
      locked.call,
      {
        toolCallId: `call_${randomUUID()}`,
        target: { name: 'desk', phoneNumber, ringSeconds: 20 },
        facts: 'Waits.',
      },
      clock.now(),
    ),
  );
const begin = (call: StagedCall) => call.inCall((tx, locked) => beginTransfer(tx, locked.call, clock.now()));
const notesOf = (call: StagedCall): Promise<string[]> =>
  workspace.within((tx) => tx('messages').where({ chat_id: call.chatId, role: 'system' }).pluck('content'));

/** Transfers that were dialled, of calls that have ended unless they are open. */
async function store(
  call: StagedCall,
  count: number,
  values: { seconds?: number; isAbroad?: boolean; phoneNumber?: string; isOpen?: boolean },
) {
  const { seconds = 60, isAbroad = false, phoneNumber = '+14155550111', isOpen = false } = values;
  const { phoneNumberId } = await call.row();
  await workspace.within(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const calls = await tx('phone_calls')
        .insert({
          workspace_id: workspace.workspaceId,
          phone_number_id: phoneNumberId,
          inbound: true,
          begun_by: 'caller',
          created_at: clock.now(),
          updated_at: clock.now(),
          finished_at: isOpen ? null : clock.now(),
        })
        .returning('id');
      await tx('call_transfers').insert({
        workspace_id: workspace.workspaceId,
        call_id: calls[0].id,
        tool_call_id: randomUUID(),
        target_name: 'desk',
        phone_number: phoneNumber,
        ring_seconds: 20,
        facts: '',
        state: isOpen ? 'dialing' : 'answered',
        dialed_at: new Date(clock.now().getTime() - hours(2)),
        ended_at: isOpen ? null : new Date(clock.now().getTime() - hours(2) + seconds * 1_000),
        max_seconds: 7_200,
        is_abroad: isAbroad,
      });
    }
  });
}

describe('a transfer that the safety gate refuses when the agent asks for it', () => {
  it.each([
    ['premium_number', '+19005551234'],
    ['premium_number', '+448701234567'],
    ['premium_number', '+881612345678'],
    ['country_not_allowed', '+25221234567'],
    ['country_not_allowed', '+18765551234'],
  ])('is %s to %s, and the call goes on', async (refused, phoneNumber) => {
    const call = await onPhone();
    expect(await transferOf(call, phoneNumber)).toBe(refused);
    expect(await call.row()).toMatchObject({
      transferBlockedReason: refused,
      transferStatus: null,
      endedBy: null,
      finishedAt: null,
    });
    expect(await workspace.within((tx) => findOpenTransfer(tx, call.callId))).toBeUndefined();
    expect(await transferOf(call)).toBeUndefined();
  });

  it('goes to a number of the service, or to one that has said STOP', async () => {
    const own = await addPhoneNumber(workspace, { voiceEnabled: true });
    const call = await onPhone();
    expect(await transferOf(call, own.number)).toBe('number_of_service');
    await workspace.within((tx) =>
      insertOptOut(tx, {
        recipient: '+14155550112',
        sender: own.number,
        optedOutAt: clock.now(),
        source: 'keyword',
      }),
    );
    expect(await transferOf(call, '+14155550112')).toBe('opted_out');
  });

  it('goes to a country that the workspace calls, but not to others', async () => {
    await workspace.database.identity.workspaces.update(workspace.workspaceId, { callCountries: ['GB'] });
    const call = await onPhone();
    expect(await transferOf(call)).toBe('country_not_allowed');
    expect(await transferOf(call, '+442079460123')).toBeUndefined();
  });
});

describe('a transfer that the safety gate refuses when it would be dialled', () => {
  it('returns the call to the agent with a note, and is not dialled', async () => {
    const call = await onPhone();
    expect(await transferOf(call)).toBeUndefined();
    await workspace.database.identity.workspaces.update(workspace.workspaceId, { callCountries: ['GB'] });
    expect(await begin(call)).toBeUndefined();
    expect(await call.row()).toMatchObject({
      endedBy: null,
      transferStatus: null,
      transferBlockedReason: 'country_not_allowed',
    });
    expect(await notesOf(call)).toEqual([expect.stringContaining('country_not_allowed')]);
  });
});

describe('the transfers of a workspace', () => {
  it('are bounded at one time', async () => {
    const call = await onPhone();
    await store(call, transferBounds.atOnce, { isOpen: true });
    expect(await transferOf(call)).toBe('transfers_at_once');
    expect(await workspace.within((tx) => tx('call_transfers').whereNotNull('blocked_reason'))).toHaveLength(
      1,
    );
  });

  it('are bounded to a number within a day', async () => {
    const call = await onPhone();
    await store(call, transferBounds.toNumberADay, { phoneNumber: desk, seconds: 1 });
    expect(await transferOf(call)).toBe('daily_attempts');
    clock.advance(hours(24));
    expect(await transferOf(call)).toBeUndefined();
  });

  it('are bounded by minutes within a day, and the last one gets what is left', async () => {
    const call = await onPhone();
    const max = 7_200;
    const bound = transferBounds.minutesADay * 60;
    await store(call, bound / max - 1, { seconds: max });
    await store(call, 1, { seconds: max - 100 });
    await transferOf(call);
    expect(await begin(call)).toMatchObject({ maxSeconds: 100 });
    const next = await onPhone();
    expect(await transferOf(next)).toBe('daily_minutes');
  });

  it('are bounded more closely abroad', async () => {
    await workspace.database.identity.workspaces.update(workspace.workspaceId, {
      callCountries: ['US', 'GB'],
    });
    const call = await onPhone();
    await transferOf(call, '+442079460123');
    expect(await begin(call)).toMatchObject({
      isAbroad: true,
      maxSeconds: transferBounds.minutesAbroadAtOnce * 60,
    });
    await store(call, transferBounds.minutesAbroadADay / 60, { seconds: 3_600, isAbroad: true });
    const next = await onPhone();
    expect(await transferOf(next, '+442079460123')).toBe('daily_minutes');
    expect(await transferOf(next)).toBeUndefined();
  });

  it('take turns, so that those of the same moment stay within the bound', async () => {
    const calls = [await onPhone(), await onPhone(), await onPhone()];
    await store(calls[0] as StagedCall, transferBounds.atOnce - 1, { isOpen: true });
    await Promise.all(calls.map((call) => transferOf(call)));
    const begun = await Promise.all(calls.map((call) => begin(call)));
    expect(begun.filter((transfer) => transfer !== undefined)).toHaveLength(1);
  });
});
