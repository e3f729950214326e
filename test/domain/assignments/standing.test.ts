import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { observeAlerts } from '../../../domain/kernel/alert-colleague.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours } from '../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();
/** As an earlier release published it. */
const stage = (rootTask: RevisionTask, options = {}) =>
  stageAssignment(suite.workspace, rootTask, { unchecked: true, ...options });

const task = (name: string, taskType: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType,
  ...more,
});
const say = (name: string, more: Partial<RevisionTask> = {}) =>
  task(name, 'message', { configuration: { text: 'Hello' }, ...more });
const end = task('End', 'conclude');
const wait = (configuration: Record<string, unknown>) => task('Wait', 'wait', { configuration });
const never = 'chat.channel == "email"';

const forHelp = 'waits for a select or the end of the assignment';
const forDataOrHelp =
  'waits for a select, a change of the member or its records, or the end of the assignment';
const waitingFor = (reason: string) =>
  ['no_choice_holds', 'required_unreachable'].includes(reason) ? forDataOrHelp : forHelp;
const called = (needsResponseReason: string) => ({ needsResponse: true, needsResponseReason });

/** Codes of the alerts of this chat from now on. */
function callsOf({ chatId }: StagedAssignment): string[] {
  const calls: string[] = [];
  onTestFinished(observeAlerts((call) => void (call.chatId === chatId && calls.push(call.reason))));
  return calls;
}

/** The agent answers its turn with words alone. */
async function answerTurn(staged: StagedAssignment) {
  await new Turn(staged).take(reply('All right.'));
  return staged.advance();
}

/** Enters a task as a colleague. */
async function select(staged: StagedAssignment, name: string) {
  const { context, workspaceId, assignmentId } = staged;
  const { id } = await staged.task(name);
  return selectTask(context, {
    workspaceId,
    assignmentId,
    requestUuid: randomUUID(),
    assignmentTaskId: id,
    actorMemberId: suite.workspace.admin.memberId,
    byOperator: true,
  });
}

describe('an assignment that nothing can move', () => {
  it.each<[string, RevisionTask, string, string]>([
    ['a message without autoNext and without children', say('Stop'), 'no_way_on', 'nothing leads on from it'],
    [
      'a wait without autoNext whose time has come, beside other tasks',
      say('Root', { autoNext: true, children: [{ ...wait({ for: 'PT1S' }), name: 'Stop' }, end] }),
      'no_way_on',
      'nothing leads on from it',
    ],
    [
      'a wait for a time in the past',
      { ...wait({ until: '2020-01-01T00:00:00Z' }), name: 'Stop' },
      'no_way_on',
      'nothing leads on from it',
    ],
    [
      'a wait for a time that is none',
      { ...wait({ until: 'x' }), name: 'Stop' },
      'unreadable_time',
      'its time cannot be read',
    ],
    [
      'a wait for a quoted word',
      { ...wait({ until: "'tomorrow'" }), name: 'Stop' },
      'unreadable_time',
      'its time cannot be read',
    ],
    [
      'a required task whose guard never holds',
      say('Stop', { autoNext: true, children: [{ ...end, required: true, celGuard: never }] }),
      'no_choice_holds',
      'the conditions of all tasks that could come next are false',
    ],
    [
      'a required task elsewhere whose guard never holds',
      say('Root', {
        autoNext: true,
        children: [say('First', { required: true, celGuard: never }), say('Stop', { autoNext: true })],
      }),
      'required_unreachable',
      'required tasks remain, and their conditions are false',
    ],
    [
      'a message with children whose conditions do not hold',
      say('Stop', { children: [{ ...end, celCondition: never }] }),
      'no_choice_holds',
      'the conditions of all tasks that could come next are false',
    ],
    [
      'a conversation with children whose conditions do not hold',
      task('Stop', 'conversation', { children: [{ ...end, celGuard: never }] }),
      'no_choice_holds',
      'the conditions of all tasks that could come next are false',
    ],
    [
      'a conversation that leads nowhere',
      task('Stop', 'conversation'),
      'no_way_on',
      'nothing leads on from it',
    ],
    [
      'a collect task whose data type does not exist',
      task('Stop', 'collect', { configuration: { dataTypeSlug: 'gone', fieldSlugs: ['a'] } }),
      'nothing_to_collect',
      'the data type that it collects was deleted',
    ],
  ])('alerts a colleague and says why: %s', async (_what, rootTask, reason, words) => {
    const staged = await stage(rootTask);
    staged.clock.advance(hours(1));
    const first = await staged.advance();
    const step = first.kind === 'turn' ? await answerTurn(staged) : first;

    expect(step).toMatchObject({
      kind: 'wait',
      taskName: 'Stop',
      walk: expect.arrayContaining(['Stop']),
      state: expect.stringContaining(`${words}; ${waitingFor(reason)}`),
      stands: reason,
    });
    expect(await staged.chat()).toMatchObject({ ...called(reason), standingReason: reason });
  });

  it('alerts once, and an answer of the agent does not dismiss the alert', async () => {
    const staged = await stage(say('Stop'));
    const calls = callsOf(staged);
    await staged.advance();
    await staged.advance();

    await staged.memberWrites('And now?');
    await staged.advance();
    await answerTurn(staged);

    expect(await staged.chat()).toMatchObject(called('no_way_on'));
    expect(calls).toEqual(['no_way_on']);
  });

  it('does not call again after a colleague has answered and returned the chat', async () => {
    const staged = await stage(say('Stop'));
    await staged.advance();
    const calls = callsOf(staged);

    await staged.operatorWrites('I will call you');
    expect(await staged.advance()).toMatchObject({ state: 'paused, a person has it', stands: 'paused' });
    await updateChat(suite.workspace.context(), staged.chatId, { paused: false });

    expect(await staged.advance()).toMatchObject({ state: expect.stringContaining(forHelp) });
    expect((await staged.chat()).needsResponse).toBe(false);
    expect(calls).toEqual([]);
  });

  it('needs no person any more once a task is selected, and calls again where that stands too', async () => {
    const staged = await stage(say('Stop', { children: [{ ...say('Other'), celCondition: 'false' }, end] }));
    await select(staged, 'Other');
    expect(await staged.chat()).toMatchObject({ standingReason: null });
    const stuck = await stage(say('Root', { autoNext: true, children: [say('One'), say('Two')] }));
    await stuck.advance();
    expect(await stuck.chat()).toMatchObject(called('no_way_on'));
    const calls = callsOf(stuck);

    await select(stuck, 'Two');

    expect(await stuck.chat()).toMatchObject(called('no_way_on'));
    expect(calls).toEqual(['no_way_on']);
  });

  it('needs no person any more once it has ended', async () => {
    const staged = await stage(say('Stop'));
    await staged.advance();

    await cancelAssignment(staged.context, staged);

    expect(await staged.chat()).toMatchObject({ needsResponse: false, standingReason: null });
  });

  it('keeps a later call for another reason when it moves again', async () => {
    const staged = await stage(say('Root', { autoNext: true, children: [say('One'), end] }));
    await staged.advance();
    await updateChat(suite.workspace.context(), staged.chatId, { assistantEnabled: false });
    await staged.operatorWrites('One moment');
    await staged.memberWrites('Hello?');
    expect(await staged.chat()).toMatchObject(called('no_agent'));

    await select(staged, 'End');

    expect(await staged.chat()).toMatchObject({ ...called('no_agent'), standingReason: null });
  });
});

describe('an assignment that something can move', () => {
  it.each<[string, RevisionTask]>([
    ['the member, after a message with tasks to choose', say('Stop', { children: [end] })],
    ['the member, as the agent may hand over', say('Stop', { abilities: [{ abilityType: 'handoff' }] })],
    [
      'the member, as what the agent saves may open a task',
      task('Stop', 'conversation', {
        abilities: [{ abilityType: 'save_data', config: { dataTypeSlug: 'intake', fieldSlugs: ['town'] } }],
        children: [{ ...end, celCondition: never }],
      }),
    ],
    ['the member, in a conversation that may be completed', task('Stop', 'conversation', { autoNext: true })],
    ['a timer', wait({ for: 'P1D' })],
    ['a handoff', task('Stop', 'handoff')],
  ])('alerts nobody by itself: %s', async (_what, rootTask) => {
    const staged = await stage(rootTask);
    if ((await staged.advance()).kind === 'turn') await answerTurn(staged);

    expect(await staged.chat()).toMatchObject({ standingReason: null });
  });

  it('says that a newer SMS chat on the same number takes the replies', async () => {
    const { id: phoneNumberId } = await addPhoneNumber(suite.workspace);
    const member = await addMember(suite.workspace);
    const talk = task('Talk', 'conversation', { autoNext: true, prompt: 'Say hello.' });
    const older = await stage(talk, { channel: 'phone-sms', phoneNumberId, member });
    await older.advance();
    await answerTurn(older);
    await stage(talk, { channel: 'phone-sms', phoneNumberId, member });

    expect(await older.advance()).toMatchObject({
      state: 'waits for the member; a newer SMS chat takes the replies',
    });
    expect(await older.chat()).toMatchObject(called('superseded'));
  });

  it('rests without a call while its chat is archived', async () => {
    const staged = await stage(say('Stop'));
    await updateChat(suite.workspace.context(), staged.chatId, { archived: true });

    await staged.advance();

    expect((await staged.chat()).needsResponse).toBe(false);
  });
});
