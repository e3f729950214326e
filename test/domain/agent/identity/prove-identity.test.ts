import { beforeEach, describe, expect, it } from 'vitest';
import { patchCallBridge } from '../../../../db/calls/call-bridges.js';
import { findPhoneCall, type PhoneCallRow, patchPhoneCall } from '../../../../db/calls/phone-calls.js';
import type { VoiceIdentity } from '../../../../db/identity/models/workspace.js';
import { insertUnprovedIdentifiers } from '../../../../db/people/unproved-identifiers.js';
import type { Tx } from '../../../../db/tx.js';
import { type CallBackendContext, openCallBackend } from '../../../../domain/agent/voice/call-backend.js';
import { CallStates } from '../../../../domain/agent/voice/call-states.js';
import { writeRecord } from '../../../../domain/records/data-records/write-record.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { type AnsweredCall, answeredCall } from '../../../support/calls/answered-call.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const inside = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  workspace.database.inWorkspace(workspace.workspaceId, work);

let slug: string;
let staged: StagedAssignment;
let memberId: number;

const identity = (changes: Partial<VoiceIdentity> = {}): VoiceIdentity =>
  ({
    method: 'questions',
    questions: [{ memberField: 'dateOfBirth' }, { dataTypeSlug: slug, fieldSlug: 'postcode' }],
    required: 2,
    triesPerCall: 2,
    triesPerDay: 3,
    ...changes,
  }) as VoiceIdentity;
const set = (voiceIdentity: VoiceIdentity | null) =>
  workspace.database.identity.workspaces.update(workspace.workspaceId, { voiceIdentity });

beforeEach(async () => {
  slug = `patient_${randomTag()}`;
  await createDataType(workspace.context(workspace.admin), {
    name: slug,
    slug,
    isCollection: false,
    fields: [
      { slug: 'postcode', name: 'Postcode', fieldType: 'text' },
      { slug: 'pin', name: 'PIN', fieldType: 'integer', sensitive: true },
      { slug: 'diagnosis', name: 'Diagnosis', fieldType: 'text' },
    ],
  });
  const values = { dateOfBirth: '1980-05-04', name: 'Vera Secretname' };
  const member = await addMember(workspace, { role: workspace.roles.member, values });
  memberId = member.memberId;
  staged = await stageAssignment(
    workspace,
    {
      name: 'Help',
      taskType: 'conversation',
      prompt: `Help with {{ member.form_data.${slug}.diagnosis }}.`,
      abilities: [{ abilityType: 'read_data', config: { dataTypeSlug: slug } }, { abilityType: 'handoff' }],
    },
    { member },
  );
  await write({ postcode: '10115', pin: 4711, diagnosis: 'Scurvy' });
  await staged.advance();
  await staged.memberWrites('My earlier secret');
  staged.clock.advance(1_000);
  await set(identity());
});

const write = (values: Record<string, unknown>) =>
  inside((tx) =>
    writeRecord(tx, {
      dataTypeSlug: slug,
      memberId,
      values,
      assignmentTaskId: null,
      isCollecting: false,
      asMember: false,
      defaultRegion: 'US',
      actorMemberId: workspace.admin.memberId,
      fileGiver: { memberId: 0, readsWorkspace: true, readsAll: false },
      now: staged.clock.now(),
    }),
  );

interface Caller extends AnsweredCall {
  desk: ReturnType<typeof openCallBackend>;
  row(): Promise<PhoneCallRow>;
}

async function call({ inbound = true } = {}): Promise<Caller> {
  const answered = await answeredCall(workspace, { chatId: staged.chatId });
  const { callId } = answered;
  const now = staged.clock.now();
  await inside((tx) => patchPhoneCall(tx, callId, { inbound, memberId, createdAt: now, updatedAt: now }));
  const [bridge] = await answered.bridges();
  await inside((tx) => patchCallBridge(tx, bridge?.id ?? 0, { beganAt: now }));
  const { workspaceId } = workspace;
  const ref = { workspaceId, chatId: staged.chatId, callId, attempt: 1, recordingUuid: null };
  const sendRequest: CallBackendContext['sendRequest'] = async () => {
    throw new Error('no tool of this suite sends a request');
  };
  return {
    ...answered,
    desk: openCallBackend(
      { ...staged.context, sendRequest, callStates: new CallStates(staged.context.db) } as CallBackendContext,
      ref,
    ),
    row: async () => (await inside((tx) => findPhoneCall(tx, callId))) as PhoneCallRow,
  };
}

async function opened({ desk }: Caller) {
  const opening = await desk.open();
  if (typeof opening === 'string') throw new Error(opening);
  return opening;
}

async function use({ desk }: Caller, name: string, input: object) {
  const callId = `call_${randomTag()}`;
  const ran = await desk.runTools(`resp_${callId}`, [{ callId, name, arguments: JSON.stringify(input) }]);
  return { ...ran, output: JSON.parse(ran.outputs[0]?.output ?? 'null') };
}
const prove = async (caller: Caller, dateOfBirth: string, postcode: string) =>
  use(caller, 'prove_identity', { dateOfBirth, [`${slug}__postcode`]: postcode });
const read = async (caller: Caller) => (await use(caller, 'read_data', { dataType: slug })).output;
const secrets = /earlier secret|Scurvy|Secretname|10115|1980|4711/;

describe('a caller', () => {
  it('who is not proved hears nothing of what the chat knows, and no records', async () => {
    const caller = await call();
    const opening = await opened(caller);
    expect(JSON.stringify(opening)).not.toMatch(secrets);
    expect(opening.settings.instructions).toContain('ask for 2 of these');
    expect(opening.settings.tools.map(({ name }) => name)).toContain('prove_identity');
    const refused = await read(caller);
    expect(refused).toMatchObject({ ok: false, error: 'identity_required' });
    expect(JSON.stringify(refused)).not.toMatch(secrets);
    await staged.operatorWrites('Colleague tells a secret');
    expect(await caller.desk.look()).not.toHaveProperty('notes');
  });

  it('who has proved it is told what the chat knows, and is asked no more in this call', async () => {
    const caller = await call();
    await opened(caller);
    await staged.memberWrites('Written meanwhile');
    const { output, news } = await prove(caller, '4 May 1980', '10 115');
    expect(output).toMatchObject({ ok: true });
    expect(JSON.stringify(output)).not.toMatch(secrets);
    expect(news.notes?.[0]).toContain('My earlier secret');
    expect(news.notes?.[1]).toContain('Written meanwhile');
    expect(news.instructions?.instructions).toMatch(/Scurvy/);
    expect(news.instructions?.instructions).toMatch(/Secretname/);
    expect(news.instructions?.tools.map(({ name }) => name)).not.toContain('prove_identity');
    expect(await read(caller)).toMatchObject({ ok: true, records: [{ diagnosis: 'Scurvy' }] });
    expect((await caller.row()).identityProvedAt).not.toBeNull();
    expect(JSON.stringify(await opened(caller))).toContain('My earlier secret');
    await caller.finish();
    expect(await read(await call())).toMatchObject({ error: 'identity_required' });
  });

  it.each([
    ['the first', '1980-05-05', '10115'],
    ['the second', '1980-05-04', '10116'],
    ['both', '', ''],
  ])('is not told which answer was wrong, if %s was', async (_, date, postcode) => {
    const caller = await call();
    await opened(caller);
    const answers = Object.fromEntries(
      Object.entries({ dateOfBirth: date, [`${slug}__postcode`]: postcode }).filter(
        ([, value]) => value !== '',
      ),
    );
    const { output } = await use(caller, 'prove_identity', answers);
    expect(output).toEqual({ ok: false, error: 'identity_wrong', triesLeft: 1 });
    expect(await read(caller)).toMatchObject({ error: 'identity_required' });
  });

  it('is refused after as many tries as a call has, also with right answers, and a colleague is alerted', async () => {
    const caller = await call();
    await opened(caller);
    await prove(caller, '1980-05-05', '1');
    expect((await prove(caller, '1980-05-06', '1')).output).toMatchObject({ error: 'identity_refused' });
    expect(await staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'caller_unproved',
    });
    expect((await prove(caller, '1980-05-04', '10115')).output).toMatchObject({ error: 'identity_refused' });
    expect(await caller.row()).toMatchObject({ identityTries: 2, identityProvedAt: null });
  });

  it('is refused after as many tries as a day has in all calls, until the next day', async () => {
    const first = await call();
    await prove(first, '1980-05-05', '1');
    await prove(first, '1980-05-06', '1');
    await first.finish();
    const second = await call();
    expect((await prove(second, '1980-05-07', '1')).output).toMatchObject({ error: 'identity_refused' });
    await second.finish();
    expect((await prove(await call(), '1980-05-04', '10115')).output).toMatchObject({
      error: 'identity_refused',
    });
    await inside((tx) =>
      tx('phone_calls').where({ chat_id: staged.chatId }).update({ finished_at: new Date() }),
    );
    staged.clock.advance(25 * 3_600_000);
    expect((await prove(await call(), '1980-05-04', '10115')).output).toMatchObject({ ok: true });
  });

  it('counts each of two tries at once', async () => {
    const caller = await call();
    await Promise.all([prove(caller, '1980-05-05', '1'), prove(caller, '1980-05-06', '1')]);
    expect(await caller.row()).toMatchObject({ identityTries: 2 });
  });

  it('enters a sensitive answer by keys, of which nobody hears whether they are right', async () => {
    const questions = [{ memberField: 'dateOfBirth' }, { dataTypeSlug: slug, fieldSlug: 'pin' }] as const;
    await set(identity({ questions: [...questions] }));
    const caller = await call();
    const { settings, news } = await opened(caller);
    const keysFor = `identity:${slug}__pin`;
    expect(news.keysFor).toBe(keysFor);
    expect(settings.instructions).toContain('By the keys of the phone alone');
    expect(JSON.stringify(settings.tools)).not.toContain(`${slug}__pin`);
    const wrong = await caller.desk.takeKeys(keysFor, '4712');
    expect(wrong.news.keysFor).toBeUndefined();
    const { output } = await use(caller, 'prove_identity', { dateOfBirth: '1980-05-04' });
    expect(output).toEqual({ ok: false, error: 'identity_wrong', triesLeft: 1 });
    const right = await caller.desk.takeKeys(keysFor, '4711');
    expect(right.told).toBe(wrong.told);
    expect(JSON.stringify(await caller.row())).not.toMatch(/471[12]/);
    expect((await use(caller, 'prove_identity', { dateOfBirth: '1980-05-04' })).output).toMatchObject({
      ok: true,
    });
  });

  it('cannot prove it by what a caller has said before, in this call or an earlier one', async () => {
    const caller = await call();
    // A task collects it.
    await write({ postcode: '99999', diagnosis: 'Gout' });
    expect((await prove(caller, '1980-05-04', '99999')).output).toMatchObject({ error: 'identity_wrong' });
    await caller.finish(staged.clock.now());
    staged.clock.advance(3_600_000);
    const later = await call();
    expect((await prove(later, '1980-05-04', '99999')).output).toMatchObject({ error: 'identity_wrong' });
    await later.finish(staged.clock.now());
    staged.clock.advance(3_600_000);
    await write({ postcode: '10117' });
    staged.clock.advance(1_000);
    expect((await prove(await call(), '1980-05-04', '10117')).output).toMatchObject({ ok: true });
  });

  it('can prove it by what is stored, also if that was said again or other values were given', async () => {
    const caller = await call();
    await write({ postcode: '10115', diagnosis: 'Gout' });
    expect((await prove(caller, '1980-05-04', '10115')).output).toMatchObject({ ok: true });
    await write({ postcode: '10119' });
    await caller.finish(staged.clock.now());
    staged.clock.advance(3_600_000);
    expect((await prove(await call(), '1980-05-04', '10119')).output).toMatchObject({ ok: true });
  });

  it('of whom too little is stored cannot prove it', async () => {
    await inside((tx) => tx('members').where({ id: memberId }).update({ date_of_birth: null }));
    const caller = await call();
    expect((await prove(caller, 'null', '10115')).output).toMatchObject({ error: 'identity_wrong' });
  });
});

describe('without questions', () => {
  it('records are refused and the chat is withheld where nothing was configured, and nobody can prove anything', async () => {
    await set(null);
    const caller = await call();
    const { settings } = await opened(caller);
    expect(JSON.stringify(settings)).not.toMatch(secrets);
    expect(settings.tools.map(({ name }) => name)).not.toContain('prove_identity');
    expect(await read(caller)).toMatchObject({ ok: false, error: 'identity_not_configured' });
    expect((await prove(caller, '1980-05-04', '10115')).output).toMatchObject({
      error: 'tool_not_available',
    });
  });

  it('everything is told where the workspace, or the workflow alone, says that nobody is asked', async () => {
    await set(null);
    const { definitionId } = await staged.chat();
    await inside((tx) =>
      tx('workflow_definitions')
        .where({ id: definitionId })
        .update({ voice_identity: { method: 'none' } }),
    );
    const caller = await call();
    expect(JSON.stringify(await opened(caller))).toMatch(/earlier secret/);
    expect(await read(caller)).toMatchObject({ ok: true });
  });
});

describe('a member whom the service calls', () => {
  it('at a proved number is talked with in the context of the chat, and still asked before records', async () => {
    const caller = await call({ inbound: false });
    expect(JSON.stringify(await opened(caller))).toMatch(/earlier secret/);
    expect(await read(caller)).toMatchObject({ error: 'identity_required' });
  });

  it('at a number that anyone may have typed in hears nothing of the chat before', async () => {
    await inside((tx) =>
      insertUnprovedIdentifiers(tx, [{ memberId, channel: 'phone', address: '+12025550142' }], new Date()),
    );
    const caller = await call({ inbound: false });
    expect(JSON.stringify(await opened(caller))).not.toMatch(secrets);
  });
});
