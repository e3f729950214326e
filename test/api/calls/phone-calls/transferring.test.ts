import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { selectCallMarks } from '../../../../db/calls/call-marks.js';
import { findLatestTransfer } from '../../../../db/calls/call-transfers.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { silenceByte } from '../../../../domain/calls/recordings/wav.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { type RecordedCall, recordedCall } from '../../../support/calls/recorded-call.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { conversationTasks } from '../../../support/workspace/definitions.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const { workspace, asAdmin } = useApi({ storage });
const target = { name: 'front_desk', description: 'For appointments', phoneNumber: '+14155550110' };
/** Where it is not allowed to call. */
const abroad = { name: 'abroad', phoneNumber: '+4915112345678' };
let call: RecordedCall;

/** A call with two seconds of sound. */
beforeEach(async () => {
  const config = { targets: [target, abroad], ringSeconds: 20 };
  const root = { ...conversationTasks(), abilities: [{ abilityType: 'forward_call' as const, config }] };
  const { chatId } = await stageAssignment(workspace, root, { unchecked: true });
  const sound = { startFrame: 0, bytes: Buffer.alloc(2 * 8_000 * 2, silenceByte) };
  call = await recordedCall(workspace, storage, [sound], { chatId });
});

const path = () => `/phone-calls/${call.callId}`;
const targets = async () => (await asAdmin('GET', `${path()}/transfer-targets`)).body.items;
const transfer = (body: object = { target: 'front_desk', facts: 'Asks for <Robin>.' }) =>
  asAdmin('POST', `${path()}/transfer`, body);
const latest = () => workspace.within((tx) => findLatestTransfer(tx, call.callId));

describe('transferring a call', () => {
  it('asks for what the agent asks for, once', async () => {
    expect(await targets()).toEqual([
      { name: 'front_desk', description: 'For appointments' },
      { name: 'abroad' },
    ]);

    const { status, body } = await transfer();

    expect([status, body.status]).toEqual([200, 'in-progress']);
    expect(await latest()).toMatchObject({
      targetName: 'front_desk',
      phoneNumber: target.phoneNumber,
      ringSeconds: 20,
      facts: 'Asks for <Robin>.',
      state: 'requested',
    });
    expect(await targets()).toEqual([]);
    expect(await transfer()).toMatchObject({ status: 409, body: { code: 'call_not_up' } });
  });

  it('leads to nobody but those whom the workflow names', async () => {
    for (const wanted of ['+14155550199', 'back_office']) {
      const { status, body } = await transfer({ target: wanted });
      expect([status, pointersOf(body)]).toEqual([400, ['/target']]);
    }
    expect(await latest()).toBeUndefined();
  });

  it('is refused where the gate refuses it, and the call goes on', async () => {
    expect(await transfer({ target: 'abroad' })).toMatchObject({
      status: 400,
      body: { code: 'country_not_allowed' },
    });
    expect(await latest()).toBeUndefined();
    expect((await transfer()).status).toBe(200);
  });

  it('leaves a call as it is that has ended', async () => {
    await call.finish();
    expect(await targets()).toEqual([]);
    expect(await transfer()).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await latest()).toBeUndefined();
  });
});

describe('the marks of a call', () => {
  it('tell where it was interrupted and transferred, and what was said to being recorded', async () => {
    const { chatId, callId } = call;
    const stored = await workspace.within((tx) =>
      insertMessage(tx, {
        chatId,
        callId,
        role: 'assistant',
        author: 'agent',
        content: 'Your visit is',
        audioMetadata: { phoneCallId: callId, startMs: 300, endMs: 900 },
        truncationReason: 'interrupted',
        truncatedAtMs: 450,
      }),
    );
    await transfer();

    const { recordedMs, items } = (await asAdmin('GET', `${path()}/marks`)).body;

    const place = expect.any(Number);
    expect([recordedMs, items.length]).toEqual([2_000, 3]);
    expect(items).toEqual(
      expect.arrayContaining([
        { kind: 'consent', offsetMs: 0, consent: 'told' },
        { kind: 'interruption', offsetMs: 750, messageUuid: stored.uuid },
        { kind: 'transfer', offsetMs: place, targetName: 'front_desk', transferState: 'requested' },
      ]),
    );
  });

  it('have no place beyond the end of the recording', async () => {
    await transfer();
    await workspace.within(async (tx) => {
      const sent = (await findLatestTransfer(tx, call.callId))?.createdAt as Date;
      await tx('call_transfers').update({ created_at: new Date(sent.getTime() + 60_000) });
      const marks = await selectCallMarks(tx, call.callId, 2_000);
      expect(marks.find(({ kind }) => kind === 'transfer')).toMatchObject({ offsetMs: null });
    });
  });
});
