import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selectBridgesOfCall } from '../../../../db/calls/call-bridges.js';
import { findRecordingOfCall } from '../../../../db/calls/call-recordings.js';
import { admitStream } from '../../../../domain/calls/bridges/admit-stream.js';
import { recordAnsweredBy } from '../../../../domain/calls/record-call-news.js';
import { StreamTokens } from '../../../../domain/calls/stream-tokens.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { testEncryptionKey } from '../../../support/lib/encryption.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database);
const tokens = new StreamTokens([testEncryptionKey]);
const set = (changes: object) =>
  workspace.database.identity.workspaces.update(workspace.workspaceId, changes);

let call: StagedCall;
let sid: string;
let handler: string;
let callbacks: string;

beforeAll(async () => {
  await createAssistant(workspace.context(), { name: 'Voice', instructions: 'Talk.', isDefault: true });
});
beforeEach(async () => {
  const member = await addMember(workspace, { role: workspace.roles.member, values: { locale: 'de-DE' } });
  const chat = await stageFreeChat(workspace, { member });
  call = await stageCall(workspace, new MovedClock(), chat.chatId);
  await call.advance();
  const row = await call.row();
  sid = row.carrierCallId ?? '';
  handler = workspace.path(`/chats/outbound-call-handler/${row.phoneNumberId}/${chat.chatId}/${call.callId}`);
  callbacks = workspace.path(`/carrier-calls/${row.uuid}`);
});
afterEach(() => set({ recordCalls: true, recordingConsent: 'notice', recordingNotice: null }));

const ask = async (CallStatus = 'in-progress') =>
  (await api.call(handler, { CallSid: sid, CallStatus })).body;
const follow = async () => (await api.call(`${callbacks}/continue`, { CallSid: sid })).body;
const press = async (Digits: string | undefined, more: Record<string, string> = {}) =>
  (
    await api.call(`${callbacks}/recording-consent`, {
      CallSid: sid,
      ...(Digits === undefined ? {} : { Digits }),
      ...more,
    })
  ).body;
const bridges = () => workspace.within((tx) => selectBridgesOfCall(tx, call.callId));
const begin = async (answer: string) => {
  const parameters = Object.fromEntries(
    [...answer.matchAll(/<Parameter name="(\w+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>;
  const admitted = await admitStream(
    { db: workspace.database, clock: systemClock },
    { streamId: `MZ${randomUUID()}`, carrierCallId: sid, parameters },
    { tokens, processId: randomUUID(), callsPerWorkspace: 1_000 },
  );
  if ('refused' in admitted) throw new Error(admitted.refused);
  return admitted;
};
const notice = '<Say language="de-DE">Dieses Gespräch wird aufgezeichnet.</Say>';

describe('a call that is recorded', () => {
  it('says so before the stream, the same however often it is asked, also ahead of the answer', async () => {
    const answers = [await ask('ringing'), await ask(), await ask()];
    for (const answer of answers) {
      expect(answer).toContain(notice);
      expect(answer.indexOf(notice)).toBeLessThan(answer.indexOf('<Stream '));
    }
    await set({ recordingNotice: { de: { text: 'Anders.' } } });
    expect(await ask()).toContain(notice);
    expect(await call.row()).toMatchObject({ recordingConsent: 'told', recordingNoticedAt: null });
    const { recording } = await begin(await ask());
    expect(recording).toBeDefined();
    expect(await call.row()).toMatchObject({ recordingNoticedAt: expect.any(Date) });
  });

  it('does not say so again in later streams, nor after one that did not begin', async () => {
    await ask();
    expect(await follow()).not.toContain('<Say');
    await begin(await follow());
    const next = await follow();
    expect(next).toContain('<Stream ');
    expect(next).not.toContain('<Say');
  });

  it('says so to who calls', async () => {
    const number = await addPhoneNumber(workspace, { voiceEnabled: true });
    const form = { CallSid: `CA${randomUUID()}`.replaceAll('-', ''), From: uniquePhone(), To: number.number };
    const { body } = await api.call('/carrier-calls/inbound', form);
    expect(body).toContain('<Say language="en-US">This call is recorded.</Say><Connect><Stream ');
  });

  it('says nothing, and is not recorded, where the workspace records none', async () => {
    await set({ recordCalls: false });
    const answer = await ask();
    expect(answer).not.toContain('<Say');
    await set({ recordCalls: true });
    expect((await begin(answer)).recording).toBeUndefined();
  });

  it('is not recorded if it was opened by a release that says nothing', async () => {
    await workspace.within((tx) =>
      tx('call_bridges').insert({ workspace_id: workspace.workspaceId, call_id: call.callId, attempt: 1 }),
    );
    const answer = await ask();
    expect(answer).not.toContain('<Say');
    expect((await begin(answer)).recording).toBeUndefined();
  });

  it.each(['machine_end_beep', 'fax'])(
    'loses its recording when %s has heard the words',
    async (answeredBy) => {
      await begin(await ask());
      await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, answeredBy, new Date()));
      expect(await call.row()).toMatchObject({ recordingConsent: 'machine' });
      expect(await workspace.within((tx) => findRecordingOfCall(tx, call.callId))).toBeUndefined();
    },
  );

  it.each(['human', 'unknown'])('keeps its recording when %s has answered', async (answeredBy) => {
    await begin(await ask());
    await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, answeredBy, new Date()));
    expect(await workspace.within((tx) => findRecordingOfCall(tx, call.callId))).toBeDefined();
  });
});

describe('a call that asks whether it may be recorded', () => {
  beforeEach(() => set({ recordingConsent: 'ask' }));

  it('opens no stream before the answer, and asks the same however often it is asked', async () => {
    const answer = await ask('ringing');
    expect(answer).toContain('<Gather input="dtmf" numDigits="1"');
    expect(answer).toContain(`action="https://public.example.com/api/v2${callbacks}/recording-consent"`);
    expect(answer).toContain(notice);
    expect(answer).toContain('Drücken Sie die 1');
    expect(answer).not.toContain('<Stream ');
    await set({ recordingConsent: 'notice' });
    expect([await ask(), await follow()]).toEqual([answer, answer]);
    expect(await bridges()).toEqual([]);
  });

  it.each([
    ['1', 'agreed', true],
    ['2', 'refused', false],
    ['*', 'refused', false],
    ['', 'unanswered', false],
    [undefined, 'unanswered', false],
  ])('goes on after the key %j: %s', async (key, recordingConsent, isRecorded) => {
    await ask();
    const answer = await press(key);
    expect(answer).toContain('<Stream ');
    expect(answer).not.toContain('<Say');
    expect(await call.row()).toMatchObject({ recordingConsent, recordingNoticedAt: expect.any(Date) });
    expect((await begin(answer)).recording !== undefined).toBe(isRecorded);
  });

  it('keeps the first answer, also of two at once', async () => {
    await ask();
    const answers = await Promise.all([press('1'), press('1')]);
    for (const answer of [...answers, await press('2')]) expect(answer).toContain('<Stream ');
    expect(await call.row()).toMatchObject({ recordingConsent: 'agreed' });
    expect(await bridges()).toHaveLength(1);
  });

  it('takes no answer to a question that was not asked, nor of a call that is over', async () => {
    await set({ recordingConsent: 'notice' });
    await ask();
    expect(await press('2')).toContain('<Stream ');
    expect(await call.row()).toMatchObject({ recordingConsent: 'told' });
    expect(await press('1', { CallStatus: 'completed' })).toContain('<Hangup/>');
    await call.reports({ status: 'completed' });
    expect(await press('1')).toContain('<Hangup/>');
  });

  it('counts no machine as somebody who was asked', async () => {
    await ask();
    await call.inCall((tx, locked) => recordAnsweredBy(tx, locked, 'machine_start', new Date()));
    expect(await press('1')).toContain('<Hangup/>');
    expect(await call.row()).toMatchObject({ recordingConsent: 'machine' });
  });

  it('is answered by the carrier alone', async () => {
    await ask();
    expect(
      await api.callUnsigned(`${callbacks}/recording-consent`, { CallSid: sid, Digits: '1' }),
    ).toMatchObject({ status: 401 });
    expect(await call.row()).toMatchObject({ recordingConsent: 'asked' });
  });
});
