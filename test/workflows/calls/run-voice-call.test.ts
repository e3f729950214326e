import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPhoneCallByUuid, type PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { lockChat } from '../../../db/conversations/chats.js';
import { dialWithinMs, lookUpDelaysMs, maxCallMs, silentForMs } from '../../../domain/calls/call-times.js';
import { requestCall } from '../../../domain/calls/request-call.js';
import { waitFor } from '../../support/lib/wait-for.js';
import {
  createSmsWorkspace,
  type SmsConversation,
  type SmsWorkspace,
} from '../../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { actionsOf, readable, recordRuns, summariesOf } from '../histories.js';

let system: TestSystem;
let workspace: SmsWorkspace;
let chat: SmsConversation;
/** How far the service's clock is ahead of the real time. */
let aheadMs = 0;

beforeAll(async () => {
  system = await startSystem({ clock: { now: () => new Date(Date.now() + aheadMs) } });
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());
beforeEach(async () => {
  aheadMs = 0;
  chat = await workspace.openChat();
});

async function place(): Promise<string> {
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const body = { phoneNumberId, chatId: chat.chatId };
  const { status } = await workspace.asAdmin('POST', `/chats/${chat.chatId}/outbound-call`, body);
  expect(status).toBe(201);
  const [row] = await workspace.select<{ uuid: string }>(
    `select uuid from phone_calls where chat_id = ${chat.chatId} order by id desc limit 1`,
  );
  return row?.uuid ?? '';
}

/** A request through the API asks the safety gate at once. */
async function placeForTask(): Promise<string> {
  const { id } = await addPhoneNumber(workspace, { voiceEnabled: true });
  return system.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const called = await lockChat(tx, chat.chatId);
    if (called === undefined) throw new Error('the chat is gone');
    const asked = await requestCall(tx, { chat: called, from: { id }, begunBy: 'task', now: new Date() });
    if ('refused' in asked) throw new Error(asked.refused);
    return asked.call.uuid;
  });
}

const row = async (uuid: string): Promise<PhoneCallRow> => {
  const found = await system.database.inWorkspace(workspace.workspaceId, (tx) =>
    findPhoneCallByUuid(tx, uuid),
  );
  if (found === undefined) throw new Error('the call is gone');
  return found;
};
const result = (uuid: string) =>
  waitFor('the run has ended', () => system.run('runVoiceCall', uuid).result());
const finished = (uuid: string) =>
  waitFor('the call has ended', async () => (await row(uuid)).finishedAt !== null);

const everyReport = ['initiated', 'ringing', 'in-progress', 'busy', 'completed', 'machine-detection'];

describe('the runVoiceCall run', () => {
  it.each(['busy', 'no-answer', 'failed'] as const)(
    'ends with a call whose outcome is %s',
    async (outcome) => {
      await system.carrier.calls.plan(chat.texter.phone, { outcome });
      const uuid = await place();

      expect(await result(uuid)).toMatchObject({ status: outcome });
      expect(await row(uuid)).toMatchObject({ carrierStatus: outcome, settledAt: expect.any(Date) });
    },
  );

  it('ends with a call that the carrier refuses to dial', async () => {
    await system.carrier.turn({ handset: chat.texter.phone, refuse: { code: 21211 } });
    const uuid = await place();

    expect(await result(uuid)).toEqual({ status: 'failed', failure: 'bridge_call_create_failed' });
    expect(await system.carrier.calls.of(chat.texter.phone)).toEqual([]);
  });

  it('ends with a call that the safety gate refuses, and the carrier is never asked', async () => {
    await chat.write('STOP');
    await waitFor('the member is unsubscribed', async () => {
      const [member] = await workspace.select<{ off: boolean }>(
        `select sms_opted_out_at is not null as off from members where id = ${chat.texter.memberId}`,
      );
      return member?.off;
    });
    const uuid = await placeForTask();

    expect(await result(uuid)).toEqual({ status: 'canceled', reason: 'blocked_outbound_safety' });
    expect(await row(uuid)).toMatchObject({ blockedReason: 'opted_out', carrierStatus: null });
    expect(await system.carrier.calls.of(chat.texter.phone)).toEqual([]);
  });

  it.each([
    ['bridge_call_create_missing_sid', { withoutSid: true }],
    ['error', { dropConnectionAfterAccept: true }],
  ] as const)(
    'ends as %s, dialled once, when no look-up finds the call that the carrier has taken',
    async (failure, knobs) => {
      const handset = chat.texter.phone;
      await system.carrier.turn({
        handset,
        ...knobs,
        lostCallEvents: everyReport,
        listLagMs: 600_000,
      });
      await system.carrier.calls.plan(handset, { outcome: 'busy' });
      const uuid = await place();
      await waitFor('it is not known whether it was dialled', async () => (await row(uuid)).outcomeUnknown);
      for (const [index, delayMs] of lookUpDelaysMs.entries()) {
        aheadMs = delayMs + 1_000;
        await workspace.poke('runVoiceCall', uuid);
        await waitFor('it was looked for', async () => (await row(uuid)).lookUps > index);
      }

      expect(await result(uuid)).toEqual({ status: 'failed', failure });
      expect(await system.carrier.calls.of(handset)).toHaveLength(1);
    },
  );

  it('ends as timeout when the account at the carrier cannot be used until nobody expects the call', async () => {
    await system.carrier.turn({ handset: chat.texter.phone, unauthorized: true });
    const uuid = await place();
    await waitFor('the run waits for the account', async () => (await row(uuid)).attempts === 0);
    aheadMs = dialWithinMs;
    await workspace.poke('runVoiceCall', uuid);

    expect(await result(uuid)).toEqual({ status: 'failed', failure: 'timeout' });
  });

  it('ends the longest call as timeout', async () => {
    await system.carrier.calls.plan(chat.texter.phone, { script: [{ wait: 600_000 }] });
    await system.carrier.turn({ handset: chat.texter.phone, streamAfterMs: 600_000 });
    const uuid = await place();
    await waitFor('it is in progress', async () => (await row(uuid)).startedAt !== null);
    aheadMs = maxCallMs;
    await workspace.poke('runVoiceCall', uuid);

    await finished(uuid);
    expect(await row(uuid)).toMatchObject({
      status: 'completed',
      terminationReason: null,
      failureDetail: 'timeout',
    });
    expect((await system.carrier.calls.ended(chat.texter.phone)).status).toBe('completed');
  });

  it('takes in the end of a call whose reports were all lost', async () => {
    const handset = chat.texter.phone;
    await system.carrier.turn({ handset, lostCallEvents: everyReport, streamAfterMs: 600_000 });
    await system.carrier.calls.plan(handset, {
      script: [{ untilAsked: 1 }, { wait: 200 }, { hangUp: true }],
    });
    const uuid = await place();
    await system.carrier.calls.ended(handset);
    aheadMs = silentForMs + 1_000;
    await workspace.poke('runVoiceCall', uuid);

    await finished(uuid);
    expect(await row(uuid)).toMatchObject({ status: 'completed', failureDetail: 'never_connected' });
  });

  it('dials once when the answer of the carrier is lost, and all its reports', async () => {
    const handset = chat.texter.phone;
    await system.carrier.turn({ handset, dropConnectionAfterAccept: 1, lostCallEvents: everyReport });
    await system.carrier.calls.plan(handset, { outcome: 'busy' });
    const uuid = await place();
    await waitFor('the call is at the carrier', async () => (await row(uuid)).outcomeUnknown);
    aheadMs = 60_000;
    await workspace.poke('runVoiceCall', uuid);

    expect(await result(uuid)).toMatchObject({ status: 'busy' });
    expect(await system.carrier.calls.of(handset)).toHaveLength(1);
  });

  it('takes eight Actions for an answered call, has words for operators, and takes in the bill', async () => {
    await system.carrier.turn({ handset: chat.texter.phone, billedAfterMs: 0 });
    // Rings for longer than the run needs to wait for the answer.
    await system.carrier.calls.plan(chat.texter.phone, {
      afterMs: 3_000,
      script: [{ wait: 200 }, { hangUp: true }],
    });
    const uuid = await place();
    await finished(uuid);
    const query = `WorkflowId = 'call-${uuid}'`;
    await waitFor('the run waits for the bill', async () =>
      (await recordRuns(system, query)).some((run) =>
        summariesOf(run).some((text) => text.startsWith('Wait for the bill: ended, completed')),
      ),
    );
    aheadMs = 6 * 60_000;
    await workspace.poke('runVoiceCall', uuid);
    expect(await result(uuid)).toMatchObject({ status: 'completed', seconds: expect.any(Number) });

    expect(await row(uuid)).toMatchObject({ price: expect.any(Number), priceUnit: 'USD' });
    const [recorded] = await recordRuns(system, query);
    if (recorded === undefined) throw new Error('the run is not in the list');
    const signals = actionsOf(recorded).filter((action) => action === 'signal');
    // The poke by which the test moves the clock.
    expect(actionsOf(recorded).length - (signals.length - 1)).toBeLessThanOrEqual(8);
    const summaries = summariesOf(recorded);
    expect(summaries).toEqual(
      expect.arrayContaining([
        'Dial the call',
        'Wait for an answer, or for the end',
        'Ask what the call cost',
      ]),
    );
    const text = readable(recorded);
    for (const secret of [chat.texter.phone, chat.texter.phone.slice(2)]) expect(text).not.toContain(secret);
  });

  it('hangs up a call to a member that was deleted meanwhile', async () => {
    await system.carrier.calls.plan(chat.texter.phone, { script: [{ wait: 60_000 }] });
    const uuid = await place();
    await system.carrier.calls.answered(chat.texter.phone);
    await workspace.asAdmin('DELETE', `/members/${chat.texter.memberId}`);
    await workspace.poke('runVoiceCall', uuid);

    await finished(uuid);
    expect((await system.carrier.calls.ended(chat.texter.phone)).status).toBe('completed');
    expect(await row(uuid)).toMatchObject({ endedBy: 'handoff' });
  });
});
