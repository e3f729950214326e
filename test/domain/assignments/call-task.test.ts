import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findLatestCall, findOpenCall, type PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { findDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import { lockChat } from '../../../db/conversations/chats.js';
import { patchMessage } from '../../../db/conversations/messages.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { finishCall } from '../../../domain/calls/finish-call.js';
import { lockCall } from '../../../domain/calls/lock-call.js';
import { markAnswered, recordAnsweredBy } from '../../../domain/calls/record-call-news.js';
import { requestCall } from '../../../domain/calls/request-call.js';
import { instructionsFor } from '../../../domain/conversations/phone-calls/answer-call.js';
import type { Calling } from '../../../domain/conversations/phone-calls/calling.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours, minutes } from '../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember, uniquePhone } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

const end = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conclude',
  configuration: { outcome: name.toLowerCase() },
  ...more,
});
const talk = (name: string): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [{ abilityType: 'conclude' }],
});
const callTask = (more: Partial<RevisionTask> = {}): RevisionTask => ({
  name: 'Call',
  taskType: 'call',
  prompt: 'Ask how it went.',
  autoNext: true,
  children: [
    end('Unanswered', { celCondition: 'call.status == "no-answer"' }),
    end('Machine', { celCondition: 'call.outcome == "voicemail"' }),
    talk('After'),
  ],
  ...more,
});

const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

async function stage(
  rootTask: RevisionTask,
  { phone = uniquePhone(), bySms = false }: { phone?: string | null; bySms?: boolean } = {},
) {
  const member = await addMember(suite.workspace, { values: { phone } });
  const number = await addPhoneNumber(suite.workspace, { voiceEnabled: true });
  const own = { phoneNumber: number.number };
  const configuration = { ...own, ...rootTask.configuration };
  const withNumber = rootTask.taskType === 'call' ? { ...rootTask, configuration } : rootTask;
  const channel = bySms ? ({ channel: 'phone-sms', phoneNumberId: number.id } as const) : {};
  return stageAssignment(suite.workspace, withNumber, { member, ...channel });
}

const open = ({ chatId }: StagedAssignment) => inWorkspace((tx) => findOpenCall(tx, chatId));
const latest = ({ chatId }: StagedAssignment) => inWorkspace((tx) => findLatestCall(tx, chatId));

/** The open call of the chat, or the test has failed. */
async function openCall(staged: StagedAssignment): Promise<PhoneCallRow> {
  const call = await open(staged);
  if (call === undefined) throw new Error('no call is up');
  return call;
}

async function inCall(
  staged: StagedAssignment,
  work: (tx: Tx, locked: NonNullable<Awaited<ReturnType<typeof lockCall>>>) => Promise<unknown>,
): Promise<void> {
  const { id } = await openCall(staged);
  await inWorkspace(async (tx) => {
    const locked = await lockCall(tx, { callId: id });
    if (locked === undefined) throw new Error('the call is gone');
    await work(tx, locked);
  });
}

const answer = (staged: StagedAssignment) =>
  inCall(staged, (tx, locked) => markAnswered(tx, locked, staged.clock.now()));
const finish = (staged: StagedAssignment, ends: Partial<Parameters<typeof finishCall>[2]>) =>
  inCall(staged, (tx, locked) =>
    finishCall(tx, locked, { learntBy: 'callback', ...ends }, staged.clock.now()),
  );

describe('a call task', () => {
  it('asks for a call from its number, and the agent owes no text while it is up', async () => {
    const staged = await stage(callTask());
    expect(await staged.advance()).toMatchObject({
      kind: 'wait',
      state: expect.stringContaining('the call'),
    });
    const { id } = await staged.task('Call');
    expect(await openCall(staged)).toMatchObject({ status: 'pending', inbound: false, assignmentTaskId: id });
    await staged.memberWrites('Are you there?');
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });

  it('is complete when no one has answered, and its children see that', async () => {
    const staged = await stage(callTask());
    await staged.advance();
    await finish(staged, { carrierStatus: 'no-answer' });
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await staged.assignment()).toMatchObject({ outcome: 'unanswered' });
  });

  it('is complete when a machine has answered', async () => {
    const staged = await stage(callTask());
    await staged.advance();
    await answer(staged);
    await finish(staged, { carrierStatus: 'completed', endedBy: 'voicemail' });
    await staged.advance();
    expect(await staged.assignment()).toMatchObject({ outcome: 'machine' });
  });

  it('is complete when the call has ended in it, and goes on by text', async () => {
    const staged = await stage(callTask());
    await staged.advance();
    await answer(staged);
    expect(await staged.currentTask()).toBe('Call');
    await finish(staged, { carrierStatus: 'completed' });
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
    expect(await staged.currentTask()).toBe('After');
  });

  it('calls again after a pause until its attempts are used up', async () => {
    const staged = await stage(callTask({ configuration: { attempts: 2, retryAfter: 'PT30M' } }));
    await staged.advance();
    await finish(staged, { carrierStatus: 'busy' });
    const due = staged.clock.now().getTime() + minutes(30);
    expect(await staged.advance()).toMatchObject({ kind: 'wait', until: due });
    expect(await open(staged)).toBeUndefined();
    staged.clock.advance(minutes(29));
    await staged.advance();
    expect(await open(staged)).toBeUndefined();
    staged.clock.advance(minutes(1));
    await staged.advance();
    await finish(staged, { carrierStatus: 'no-answer' });
    await staged.advance();
    expect(await staged.assignment()).toMatchObject({ outcome: 'unanswered' });
  });

  it('calls no more once a person has answered', async () => {
    const staged = await stage(callTask({ configuration: { attempts: 3 } }));
    await staged.advance();
    await answer(staged);
    await finish(staged, { carrierStatus: 'completed' });
    await staged.advance();
    staged.clock.advance(hours(2));
    await staged.advance();
    expect(await open(staged)).toBeUndefined();
    expect(await staged.currentTask()).toBe('After');
  });

  it('leaves a later attempt that cannot be placed to a person, without a further timer', async () => {
    const staged = await stage(callTask({ configuration: { attempts: 3 } }));
    await staged.advance();
    await finish(staged, { carrierStatus: 'busy' });
    await staged.advance();
    const { memberId } = await staged.assignment();
    await inWorkspace((tx) => tx('members').where({ id: memberId }).update({ phone: null }));
    staged.clock.advance(hours(1));
    await staged.advance();
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'call_not_placed' });
    await staged.advance();
    expect(await staged.task('Call')).toMatchObject({ dueAt: null, completedAt: null });
  });

  it('pauses for a minute at least', async () => {
    const staged = await stage(callTask({ configuration: { attempts: 5, retryAfter: 'PT1S' } }));
    await staged.advance();
    await finish(staged, { carrierStatus: 'busy' });
    expect(await staged.advance()).toMatchObject({ until: staged.clock.now().getTime() + minutes(1) });
  });

  it('alerts a colleague where there is no number to call, and goes on when one selects a task', async () => {
    const staged = await stage(callTask(), { phone: null });
    await staged.advance();
    expect(await staged.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'call_not_placed',
      standingReason: 'call_not_placed',
    });
    expect(await staged.advance()).toMatchObject({
      kind: 'wait',
      state: expect.stringContaining('could not'),
    });
    expect(await latest(staged)).toBeUndefined();
  });
});

describe('a message task during a call', () => {
  const saying: RevisionTask = {
    name: 'Say',
    taskType: 'message',
    configuration: { text: 'Please bring your card.' },
    autoNext: true,
    children: [end('Said')],
  };
  /** A call is up, and the assignment enters a message. */
  async function say() {
    const staged = await stage(callTask({ children: [saying] }));
    return enterMessage(staged);
  }
  async function enterMessage(staged: StagedAssignment) {
    await staged.advance();
    await answer(staged);
    const { id } = await staged.task('Say');
    const { context, workspaceId, assignmentId } = staged;
    await selectTask(context, {
      workspaceId,
      assignmentId,
      assignmentTaskId: id,
      requestUuid: randomUUID(),
      actorMemberId: suite.workspace.admin.memberId,
      byOperator: true,
    });
    const message = (await staged.messages()).find(({ author }) => author === 'workflow');
    if (message === undefined) throw new Error('nothing is said');
    return { staged, message };
  }

  it('is spoken, and complete once its text was played', async () => {
    const { staged, message } = await say();
    const call = await openCall(staged);
    expect(message).toMatchObject({ callId: call.id, audioMetadata: null });
    expect(await inWorkspace((tx) => findDeliveryOfMessage(tx, message.id))).toBeUndefined();
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
    expect(await staged.chat()).toMatchObject({ standingReason: null });
    expect(await staged.currentTask()).toBe('Say');
    const audioMetadata = { phoneCallId: call.id, startMs: 0, endMs: 900 };
    await inWorkspace((tx) => patchMessage(tx, message.id, { audioMetadata }));
    await staged.advance();
    expect(await staged.assignment()).toMatchObject({ outcome: 'said' });
  });

  it('stands if the call ended before it was spoken, where the workflow leaves what follows to a person', async () => {
    const staged = await stage(callTask({ afterCall: 'stand', children: [saying] }), { bySms: true });
    const { message } = await enterMessage(staged);
    await finish(staged, { carrierStatus: 'completed' });
    await staged.advance();
    expect(await staged.currentTask()).toBe('Say');
    expect(await staged.chat()).toMatchObject({
      needsResponseReason: 'call_ended',
      standingReason: 'call_ended',
    });
    expect(await inWorkspace((tx) => findDeliveryOfMessage(tx, message.id))).toBeUndefined();
  });

  it('is sent as text if the call ended before it was spoken', async () => {
    const staged = await stage(callTask({ children: [saying] }), { bySms: true });
    const { message } = await enterMessage(staged);
    await finish(staged, { carrierStatus: 'completed' });
    await staged.advance();
    expect(await inWorkspace((tx) => findDeliveryOfMessage(tx, message.id))).toBeDefined();
  });

  it('is read in the web chat if the call ended before it was spoken', async () => {
    const { staged } = await say();
    await finish(staged, { carrierStatus: 'completed' });
    await staged.advance();
    expect(await staged.assignment()).toMatchObject({ outcome: 'said' });
  });
});

describe('what is owed when a call ends', () => {
  const asks = { ...talk('Asks'), choicePrompt: 'Goes on' };

  /** The member has asked something on the phone, and the call has ended before an answer. */
  async function asked(afterCall: RevisionTask['afterCall'], below: Partial<RevisionTask> = {}) {
    const staged = await stage({ ...asks, afterCall, children: [{ ...talk('Below'), ...below }] });
    await answerOfApi(staged);
    return staged;
  }
  async function answerOfApi(staged: StagedAssignment): Promise<void> {
    await staged.advance();
    const now = staged.clock.now();
    const from = await addPhoneNumber(suite.workspace, { voiceEnabled: true });
    await inWorkspace(async (tx) => {
      const chat = await lockChat(tx, staged.chatId);
      if (chat === undefined) throw new Error('the chat is gone');
      const requested = await requestCall(tx, { chat, from, begunBy: 'api', now });
      if ('refused' in requested) throw new Error(requested.refused);
    });
    await answer(staged);
    await staged.memberWrites('When do you open?');
    staged.clock.advance(minutes(1));
  }
  const ends = async (staged: StagedAssignment, how: Parameters<typeof finish>[1] = {}) => {
    await finish(staged, { carrierStatus: 'completed', ...how });
    return staged.advance();
  };
  const select = async (staged: StagedAssignment, name: string) => {
    const { context, workspaceId, assignmentId } = staged;
    const { id: assignmentTaskId } = await staged.task(name);
    const actorMemberId = suite.workspace.admin.memberId;
    const by = { requestUuid: randomUUID(), actorMemberId, byOperator: true };
    return selectTask(context, { workspaceId, assignmentId, assignmentTaskId, ...by });
  };

  it('goes on by text, unless the workflow says otherwise', async () => {
    expect(await ends(await asked(null))).toMatchObject({ kind: 'turn' });
    expect(await ends(await asked('text'))).toMatchObject({ kind: 'turn' });
  });

  it('is left to a person with a note where the task says so, once', async () => {
    const staged = await asked('stand');
    expect(await ends(staged)).toMatchObject({ kind: 'wait' });
    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'call_ended' });
    await staged.advance();
    const notes = (await staged.messages()).filter(({ role }) => role === 'system');
    expect(notes).toMatchObject([{ author: 'workflow', content: expect.stringContaining('a person') }]);
  });

  it('goes on by text when the member writes', async () => {
    const staged = await asked('stand');
    await ends(staged);
    staged.clock.advance(minutes(1));
    await staged.memberWrites('Are you still there?');
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });

  it('goes on by text when a colleague selects a task, which may say so itself', async () => {
    const staged = await asked('stand');
    await ends(staged);
    staged.clock.advance(minutes(1));
    expect((await select(staged, 'Below')).next).toMatchObject({ kind: 'turn' });
  });

  it('goes on by text where a task below says so', async () => {
    const staged = await stage({
      ...asks,
      afterCall: 'stand',
      children: [{ ...talk('Below'), afterCall: 'text' }],
    });
    await answerOfApi(staged);
    await select(staged, 'Below');
    expect(await ends(staged)).toMatchObject({ kind: 'turn' });
  });

  it('is not left to a person by a machine, or by a call that nobody answered', async () => {
    expect(await ends(await asked('stand'), { endedBy: 'voicemail' })).toMatchObject({ kind: 'turn' });
    const staged = await stage({ ...callTask({ afterCall: 'stand' }), children: [talk('After')] });
    await staged.advance();
    expect(await ends(staged, { carrierStatus: 'no-answer' })).toMatchObject({ kind: 'turn' });
  });
});

describe('a machine that answers the call of a task', () => {
  const calling = { apiUrl: 'https://service.example.com/api/v2', isAvailable: true } as Calling;
  async function answeredByMachine(configuration: Record<string, unknown>) {
    const staged = await stage(callTask({ configuration }));
    await staged.advance();
    await answer(staged);
    const now = staged.clock.now();
    await inCall(staged, (tx, locked) => recordAnsweredBy(tx, locked, 'machine_end_beep', now));
    const ask = async () => {
      let answered: unknown;
      await inCall(staged, async (tx, locked) => {
        answered = await instructionsFor(tx, calling, suite.workspace.workspaceUuid, locked, now);
      });
      return answered;
    };
    return { staged, ask };
  }

  it('is told the message of the task, which is in the chat once', async () => {
    const { staged, ask } = await answeredByMachine({ voicemail: 'We call {{ member.name }} again.' });
    const { memberId } = await staged.assignment();
    const member = await inWorkspace((tx) => findMember(tx, memberId));
    const text = `We call ${member?.name} again.`;
    const told = (language: string) => [{ do: 'say', text, language }, { do: 'hang_up' }];
    expect(await ask()).toEqual(told('en-US'));
    const { workspaceId, database } = suite.workspace;
    await database.identity.workspaces.update(workspaceId, { locale: 'fr-CA' });
    expect(await ask()).toEqual(told('fr-FR'));
    await database.identity.workspaces.update(workspaceId, { locale: 'en-US' });
    const messages = (await staged.messages()).filter(({ role }) => role === 'assistant');
    expect(messages).toMatchObject([{ author: 'workflow', content: text, callItemId: 'voicemail' }]);
  });

  it('is hung up on without one', async () => {
    const { staged, ask } = await answeredByMachine({});
    expect(await ask()).toEqual([{ do: 'hang_up' }]);
    expect((await staged.messages()).filter(({ role }) => role === 'assistant')).toEqual([]);
  });
});
