import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findOpenTransfer } from '../../../../db/calls/call-transfers.js';
import { findOpenCall, findPhoneCall, type PhoneCallRow } from '../../../../db/calls/phone-calls.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { Tx } from '../../../../db/tx.js';
import { finishCall } from '../../../../domain/calls/finish-call.js';
import { markAnswered } from '../../../../domain/calls/record-call-news.js';
import { beginTransfer, recordDialResult } from '../../../../domain/calls/transfers/answer-transfer.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { runToolCall, toolResult } from '../take-round.js';

const suite = useWorkspace();
const desk = { name: 'front_desk', phoneNumber: '+14155550110' };
const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

async function stage(abilities: object[]): Promise<StagedAssignment> {
  const member = await addMember(suite.workspace, { values: { phone: uniquePhone() } });
  const talk = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.' } as const;
  const declared = [{ abilityType: 'conclude' }, ...abilities] as { abilityType: string }[];
  return stageAssignment(suite.workspace, { ...talk, abilities: declared }, { member });
}

/** A member who is on the phone. */
async function stageOnPhone(abilities: object[]): Promise<{ staged: StagedAssignment; call: StagedCall }> {
  const staged = await stage(abilities);
  await staged.advance();
  const call = await stageCall(suite.workspace, staged.clock, staged.chatId);
  await call.inCall((tx, locked) => markAnswered(tx, locked, staged.clock.now()));
  return { staged, call };
}

/** The agent calls a tool while it talks. */
async function use(staged: StagedAssignment, name: string, input: object) {
  const toolCallId = `call_${randomUUID()}`;
  const { taskId } = await staged.task('Talk');
  await inWorkspace((tx) =>
    insertMessage(tx, {
      chatId: staged.chatId,
      role: 'assistant',
      author: 'agent',
      taskId,
      toolCalls: [{ id: toolCallId, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    }),
  );
  await runToolCall(staged, toolCallId);
  return toolResult(staged, toolCallId);
}

const rowOf = async ({ callId }: StagedCall): Promise<PhoneCallRow> => {
  const row = await inWorkspace((tx) => findPhoneCall(tx, callId));
  if (row === undefined) throw new Error('the call is gone');
  return row;
};

describe('end_call', () => {
  it('ends the part of the agent in the call that is up', async () => {
    const { staged, call } = await stageOnPhone([{ abilityType: 'end_call' }]);
    expect(await use(staged, 'end_call', {})).toMatchObject({ ok: true });
    expect(await rowOf(call)).toMatchObject({ endedBy: 'agent', finishedAt: null });
  });

  it('is not there without a call', async () => {
    const staged = await stage([{ abilityType: 'end_call' }]);
    await staged.advance();
    expect(await use(staged, 'end_call', {})).toMatchObject({ ok: false, error: 'tool_not_available' });
  });
});

describe('place_call', () => {
  it('asks for a call, once, with its purpose as a note', async () => {
    await addPhoneNumber(suite.workspace, { voiceEnabled: true });
    const number = await addPhoneNumber(suite.workspace, { voiceEnabled: true });
    const config = { phoneNumber: number.number };
    const staged = await stage([{ abilityType: 'place_call', config }]);
    await staged.advance();
    expect(await use(staged, 'place_call', { purpose: 'The results' })).toMatchObject({ ok: true });
    const call = await inWorkspace((tx) => findOpenCall(tx, staged.chatId));
    expect(call).toMatchObject({ phoneNumberId: number.id, status: 'pending', inbound: false });
    const notes = (await staged.messages()).filter(({ role }) => role === 'system');
    expect(notes).toMatchObject([{ content: 'The purpose of the call: The results' }]);
    expect(await use(staged, 'place_call', { purpose: 'Again' })).toMatchObject({
      ok: false,
      error: 'tool_not_available',
    });
  });

  it.each([
    ['a number that the workspace does not have', { phoneNumber: '+14155550199' }],
    ['a number without calls', 'silent'],
  ])('is refused with %s', async (_, given) => {
    const silent = await addPhoneNumber(suite.workspace, { voiceEnabled: false });
    const config = given === 'silent' ? { phoneNumber: silent.number } : given;
    const staged = await stage([{ abilityType: 'place_call', config }]);
    await staged.advance();
    expect(await use(staged, 'place_call', { purpose: 'The results' })).toMatchObject({
      ok: false,
      error: 'missing_phone_number',
    });
    expect(await inWorkspace((tx) => findOpenCall(tx, staged.chatId))).toBeUndefined();
  });
});

describe('forward_call', () => {
  const forward = { abilityType: 'forward_call', config: { targets: [desk], ringSeconds: 20 } };
  const transfer = (staged: StagedAssignment, target = 'front_desk') =>
    use(staged, 'forward_call', { target, facts: 'Wants an appointment.' });

  it('requests one transfer at a time, to the number of the definition', async () => {
    const { staged, call } = await stageOnPhone([forward]);
    expect(await transfer(staged)).toMatchObject({ ok: true });
    expect(await inWorkspace((tx) => findOpenTransfer(tx, call.callId))).toMatchObject({
      state: 'requested',
      phoneNumber: desk.phoneNumber,
      ringSeconds: 20,
      facts: 'Wants an appointment.',
    });
    expect(await rowOf(call)).toMatchObject({ endedBy: 'transfer' });
    expect(await transfer(staged)).toMatchObject({ ok: false, error: 'transfer_under_way' });
  });

  it('tells the agent that the safety gate refuses a transfer, and why, and the call goes on', async () => {
    const { staged, call } = await stageOnPhone([forward]);
    const { workspaces } = suite.workspace.database.identity;
    // After it was published.
    await workspaces.update(suite.workspace.workspaceId, { callCountries: ['GB'] });
    const told = await transfer(staged);
    await workspaces.update(suite.workspace.workspaceId, { callCountries: null });
    expect(told).toMatchObject({
      ok: false,
      error: 'transfer_refused',
      reason: 'country_not_allowed',
      note: expect.stringContaining('is not transferred'),
    });
    expect(await rowOf(call)).toMatchObject({ endedBy: null, transferBlockedReason: 'country_not_allowed' });
  });

  it.each(['+14155550123', 'somewhere'])('refuses the target %s', async (target) => {
    const { staged, call } = await stageOnPhone([forward]);
    expect(await transfer(staged, target)).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(await inWorkspace((tx) => findOpenTransfer(tx, call.callId))).toBeUndefined();
  });

  /** The carrier asks what follows, twice, and reports how the other phone ended. */
  async function dial({ staged, call }: { staged: StagedAssignment; call: StagedCall }, word: string) {
    const now = staged.clock.now();
    const begin = () => call.inCall((tx, locked) => beginTransfer(tx, locked.call, now));
    const [first, second] = [await begin(), await begin()];
    expect(first).toMatchObject({ state: 'dialing' });
    expect(second?.uuid).toBe(first?.uuid);
    const transferUuid = first?.uuid ?? '';
    const report = (reported: string) =>
      call.inCall((tx, locked) => recordDialResult(tx, locked.call, { transferUuid, word: reported }, now));
    return { first: await report(word), again: await report('completed') };
  }

  it.each(['busy', 'no-answer', 'failed'])('gives the call back to the agent when it is %s', async (word) => {
    const onPhone = await stageOnPhone([forward]);
    await transfer(onPhone.staged);
    const { first, again } = await dial(onPhone, word);
    expect(first).toMatchObject({ state: word });
    expect(again).toEqual(first);
    expect(await rowOf(onPhone.call)).toMatchObject({ endedBy: null, transferStatus: word });
    const notes = (await onPhone.staged.messages()).filter(({ role }) => role === 'system');
    expect(notes).toMatchObject([{ content: expect.stringContaining(`did not come about (${word})`) }]);
    expect(await transfer(onPhone.staged)).toMatchObject({ ok: true });
  });

  it('records forward and busy, unless a later transfer succeeds', async () => {
    const ended = async (onPhone: { staged: StagedAssignment; call: StagedCall }) => {
      await onPhone.call.inCall((tx, locked) =>
        finishCall(
          tx,
          locked,
          { carrierStatus: 'completed', learntBy: 'callback' },
          onPhone.staged.clock.now(),
        ),
      );
      return rowOf(onPhone.call);
    };
    const once = await stageOnPhone([forward]);
    await transfer(once.staged);
    await dial(once, 'busy');
    expect(await ended(once)).toMatchObject({ terminationReason: 'forward', carrierStatus: 'busy' });

    const twice = await stageOnPhone([forward]);
    await transfer(twice.staged);
    await dial(twice, 'busy');
    await transfer(twice.staged);
    await dial(twice, 'completed');
    expect(await ended(twice)).toMatchObject({ terminationReason: 'forward', carrierStatus: 'completed' });
  });

  it('ignores results of transfers of other calls', async () => {
    const [one, other] = [await stageOnPhone([forward]), await stageOnPhone([forward])];
    await transfer(one.staged);
    const begun = await one.call.inCall((tx, { call }) => beginTransfer(tx, call, one.staged.clock.now()));
    const found = await other.call.inCall((tx, { call }) =>
      recordDialResult(tx, call, { transferUuid: begun?.uuid ?? '', word: 'busy' }, other.staged.clock.now()),
    );
    expect(found).toBeUndefined();
    expect(await inWorkspace((tx) => findOpenTransfer(tx, one.call.callId))).toMatchObject({
      state: 'dialing',
    });
  });
});
