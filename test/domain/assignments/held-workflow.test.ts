import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectPendingFollowUps } from '../../../db/conversations/follow-ups.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { Tx } from '../../../db/tx.js';
import { advance, advanceAssignment } from '../../../domain/assignments/advance-assignment.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import { describeCurrentTask } from '../../../domain/assignments/inspect-assignment.js';
import { lockEnteringMachine } from '../../../domain/assignments/machine/machine.js';
import { requestTask } from '../../../domain/assignments/request-task.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
import { wakeHeldAssignments } from '../../../domain/assignments/wake-held-assignments.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { receiveSms } from '../../../domain/conversations/chats/receive-sms.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { holdWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/hold-workflow-definition.js';
import { resumeWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/resume-workflow-definition.js';
import { updateWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/update-workflow-definition.js';
import { setMemberEnabled } from '../../../domain/people/members/set-member-enabled.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { days, hours } from '../../support/lib/moved-clock.js';
import { addPhoneNumber, publishDefinition } from '../../support/workspace/definitions.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, runToolCall, Turn, toolResult } from '../agent/take-round.js';

const { workspace, database } = useWorkspace();

beforeEach(() => emptyOutbox(database));

const talk: RevisionTask = {
  name: 'Talk',
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [{ abilityType: 'conclude' }, { abilityType: 'schedule_follow_up' }],
  children: [
    { name: 'Text', taskType: 'message', configuration: { text: 'A text' }, autoNext: true },
    { name: 'Inner', taskType: 'conversation', prompt: 'Talk.', abilities: [{ abilityType: 'conclude' }] },
  ],
};
const pause: RevisionTask = {
  name: 'Pause',
  taskType: 'wait',
  configuration: { for: 'PT2H' },
  autoNext: true,
  children: [{ ...talk, children: [] }],
};
const greeting: RevisionTask = {
  name: 'Greet',
  taskType: 'message',
  configuration: { text: 'Hello' },
  autoNext: true,
  children: [{ ...talk, children: [] }],
};

const within = <T>(work: (tx: Tx) => Promise<T>) =>
  workspace.database.inWorkspace(workspace.workspaceId, work);
const definitionOf = async (staged: StagedAssignment) => (await staged.assignment()).definitionId;
const hold = (definitionId: number) => holdWorkflowDefinition(workspace.context(), definitionId, null);
const resume = (definitionId: number) => resumeWorkflowDefinition(workspace.context(), definitionId);
const wake = (definitionId: number) =>
  wakeHeldAssignments(workspace.context(), { workspaceId: workspace.workspaceId, definitionId });

const poked = async (staged: StagedAssignment): Promise<boolean> => {
  const { uuid } = await staged.assignment();
  return (await within((tx) => subjectsWaiting(tx, 'runAssignment', [uuid]))).has(uuid);
};

const rests = (taskName: string) => ({
  kind: 'wait',
  taskName,
  state: 'the workflow is held, rests until it is resumed',
});

const texts = async (staged: StagedAssignment) =>
  (await staged.messages()).filter(({ role }) => role === 'assistant').map(({ content }) => content);

const select = async (staged: StagedAssignment, name: string, context = staged.context) =>
  requestTask(context, directRuns(workspace.database), staged.assignmentId, (await staged.task(name)).id);

/** An assignment in `talk` whose workflow is held. */
async function stageHeld(rootTask = talk): Promise<StagedAssignment & { definitionId: number }> {
  const staged = await stageAssignment(workspace, rootTask);
  const definitionId = await definitionOf(staged);
  await hold(definitionId);
  await emptyOutbox(database);
  return { ...staged, definitionId };
}

/** What the run does after the resumption, once it was woken. */
async function resumeAndStep(staged: StagedAssignment & { definitionId: number }) {
  await resume(staged.definitionId);
  await wake(staged.definitionId);
  expect(await poked(staged)).toBe(true);
  return staged.advance();
}

describe('an assignment of a held workflow', () => {
  it('has no turn of the agent until it is resumed, and says so', async () => {
    const staged = await stageHeld();

    expect(await staged.advance()).toEqual(rests('Talk'));
    expect(await new Turn(staged).prepare()).toMatchObject({ result: { kind: 'nothing_to_say' } });
    const described = await describeCurrentTask(workspace.context(), staged.assignmentId);
    expect(described.state).toBe('the workflow is held, rests until it is resumed');

    expect(await resumeAndStep(staged)).toMatchObject({ kind: 'turn', taskName: 'Talk' });
  });

  it('does not end a wait while it is held, and ends one that has come due at once afterwards', async () => {
    const staged = await stageHeld(pause);
    staged.clock.advance(days(1));

    expect(await staged.advance()).toEqual(rests('Pause'));
    expect(await staged.currentTask()).toBe('Pause');

    expect(await resumeAndStep(staged)).toMatchObject({ kind: 'turn', taskName: 'Talk' });
  });

  it('continues to wait after the resumption for a time that has not come', async () => {
    const staged = await stageHeld(pause);
    await staged.advance();
    staged.clock.advance(hours(1));

    const step = await resumeAndStep(staged);

    expect(step).toMatchObject({ kind: 'wait', taskName: 'Pause', state: 'waits for the time to come' });
    expect(step).toMatchObject({ until: staged.clock.now().getTime() + hours(1) });
  });

  it('fires no follow-up while it is held', async () => {
    const staged = await stageAssignment(workspace, talk);
    const turn = new Turn(staged);
    await turn.run(call(['schedule_follow_up', { after: 'PT2H', instructions: 'Ask' }]));
    await turn.take(reply('I will'));
    const definitionId = await definitionOf(staged);
    await hold(definitionId);
    staged.clock.advance(hours(3));

    expect(await staged.advance()).toEqual(rests('Talk'));
    expect(await within((tx) => selectPendingFollowUps(tx, staged.chatId))).toHaveLength(1);

    await emptyOutbox(database);
    expect(await resumeAndStep({ ...staged, definitionId })).toMatchObject({ kind: 'turn' });
    expect(await within((tx) => selectPendingFollowUps(tx, staged.chatId))).toEqual([]);
  });

  it('is held on all revisions, and only with its own workflow', async () => {
    const staged = await stageHeld();
    const other = await stageAssignment(workspace, talk);

    expect(await other.advance()).toMatchObject({ kind: 'turn' });
    expect(await staged.advance()).toEqual(rests('Talk'));
  });

  it('rests for a disabled member after the resumption', async () => {
    const member = await addMember(workspace);
    const staged = await stageAssignment(workspace, talk, { member });
    const definitionId = await definitionOf(staged);
    await hold(definitionId);
    await setMemberEnabled(workspace.context(), member.memberId, false);
    expect(await staged.advance()).toEqual(rests('Talk'));
    await emptyOutbox(database);

    const step = await resumeAndStep({ ...staged, definitionId });

    expect(step).toMatchObject({ kind: 'wait', state: 'the member is disabled, rests until it is enabled' });
  });
});

describe('a turn of the agent in a workflow that is held meanwhile', () => {
  it('is dropped, with its tokens counted, and is answered anew after the resumption', async () => {
    const staged = await stageAssignment(workspace, talk);
    const definitionId = await definitionOf(staged);
    const turn = new Turn(staged);
    const asked = await turn.ask();
    await hold(definitionId);

    expect(await turn.record(asked, reply('Hello'))).toEqual({ kind: 'nothing_to_say' });
    expect(await texts(staged)).toEqual([]);
    expect(await within((tx) => tx('token_usage').where({ chat_id: staged.chatId }))).toHaveLength(1);
    expect(await staged.advance()).toEqual(rests('Talk'));

    await emptyOutbox(database);
    expect(await resumeAndStep({ ...staged, definitionId })).toMatchObject({ kind: 'turn' });
    expect(await new Turn(staged).take(reply('Hello'))).toEqual({ kind: 'replied' });
    expect(await texts(staged)).toEqual(['Hello']);
  });

  it('stores no tool calls', async () => {
    const staged = await stageAssignment(workspace, talk);
    const turn = new Turn(staged);
    const asked = await turn.ask();
    await hold(await definitionOf(staged));

    expect(await turn.record(asked, call(['conclude', { outcome: 'done' }]))).toEqual({
      kind: 'nothing_to_say',
    });
    expect((await staged.assignment()).status).toBe('active');
  });

  it('does not run a tool call that was stored before, and stays due', async () => {
    const staged = await stageAssignment(workspace, talk);
    const definitionId = await definitionOf(staged);
    const result = await new Turn(staged).take(call(['conclude', { outcome: 'done' }]));
    const [toolCallId = ''] = result.kind === 'tools' ? result.toolCallIds : [];
    await hold(definitionId);

    expect(await runToolCall(staged, toolCallId)).toMatchObject({ endsTurn: true });
    expect(await toolResult(staged, toolCallId)).toEqual({ ok: false, error: 'overtaken' });
    expect((await staged.assignment()).status).toBe('active');

    await resume(definitionId);
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });

  it('replies if its answer is stored before the hold', async () => {
    const staged = await stageAssignment(workspace, talk);
    await new Turn(staged).take(reply('Hello'));
    await hold(await definitionOf(staged));

    expect(await texts(staged)).toEqual(['Hello']);
    expect((await staged.chat()).needsResponse).toBe(false);
  });
});

describe('the member of a held workflow', () => {
  it('may write: the message is stored, a colleague is alerted once, and the agent answers after the resumption', async () => {
    const staged = await stageAssignment(workspace, talk);
    await new Turn(staged).take(reply('Hello'));
    const definitionId = await definitionOf(staged);
    await hold(definitionId);
    await staged.memberWrites('Are you there?');

    expect(await staged.advance()).toEqual(rests('Talk'));
    const called = { needsResponse: true, needsResponseReason: 'workflow_held', turnOwedSince: null };
    expect(await staged.chat()).toMatchObject(called);

    await emptyOutbox(database);
    expect(await resumeAndStep({ ...staged, definitionId })).toMatchObject({ kind: 'turn' });
    expect(await staged.chat()).toMatchObject({
      needsResponse: false,
      needsResponseReason: null,
      turnOwedSince: expect.any(Date),
    });
  });

  it('loses no message that comes in while the workflow is held and resumed', async () => {
    const staged = await stageAssignment(workspace, talk);
    await new Turn(staged).take(reply('Hello'));
    const definitionId = await definitionOf(staged);
    const words = ['One', 'Two', 'Three', 'Four'];

    await Promise.all([
      hold(definitionId),
      ...words.map((text) => staged.memberWrites(text)),
      staged.advance(),
      resume(definitionId),
    ]);
    await resume(definitionId);

    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
    const written = (await staged.messages()).filter(({ role }) => role === 'user');
    expect(written.map(({ content }) => content).sort()).toEqual([...words].sort());
  });

  it('alerts no colleague while nothing is owed to it', async () => {
    const staged = await stageAssignment(workspace, talk);
    await new Turn(staged).take(reply('Hello'));
    await hold(await definitionOf(staged));

    await staged.advance();

    expect((await staged.chat()).needsResponse).toBe(false);
  });

  it('is answered by a colleague meanwhile, who then has the chat', async () => {
    const staged = await stageHeld();
    await staged.memberWrites('Are you there?');
    await staged.advance();
    await staged.operatorWrites('Yes.');
    await emptyOutbox(database);

    expect(await staged.advance()).toEqual(rests('Talk'));
    expect(await staged.chat()).toMatchObject({ needsResponse: false, paused: true });
    expect(await resumeAndStep(staged)).toMatchObject({ kind: 'wait', state: 'paused, a person has it' });
  });
});

describe('the tasks of a held workflow', () => {
  it.each(['the member', 'an operator'])('cannot be selected by %s', async (who) => {
    const staged = await stageHeld();
    const context = who === 'the member' ? staged.context : workspace.context();

    await expect(select(staged, 'Inner', context)).rejects.toMatchObject({
      code: 'workflow_held',
      message: 'The workflow, or the workspace, is held: no task can be selected until it is resumed.',
    });
    expect(await staged.currentTask()).toBe('Talk');

    await resume(staged.definitionId);
    await select(staged, 'Inner', context);
    expect(await staged.currentTask()).toBe('Inner');
  });

  it('are entered by a select that came before the hold was committed, and rest then', async () => {
    const staged = await stageAssignment(workspace, talk);
    const definitionId = await definitionOf(staged);
    const { id } = await staged.task('Inner');
    const { holding } = await within(async (tx) => {
      await tx('workflow_definitions').where({ id: definitionId }).forNoKeyUpdate().select('id');
      const holding = hold(definitionId);
      await whenWaitedFor(tx);
      await requestTask(staged.context, directRuns(workspace.database), staged.assignmentId, id);
      return { holding };
    });
    await holding;

    expect(await staged.currentTask()).toBe('Inner');
    expect(await staged.advance()).toEqual(rests('Inner'));
  });

  it('are not entered or completed by tool calls of a colleague', async () => {
    const staged = await stageHeld();
    const { uuid } = await within((tx) =>
      tx('workflow_tasks').where({ revision_id: staged.revisionId, name: 'Text' }).first('uuid'),
    );
    const send = (name: string, input: object) =>
      sendAssistantMessage(workspace.context(), {
        chatId: staged.chatId,
        message: 'Done',
        toolCalls: [{ name, arguments: JSON.stringify(input) }],
      });

    await expect(send('select_task', { task: uuid })).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: 'is refused: workflow_held' })],
    });
    expect(await texts(staged)).toEqual([]);

    await send('conclude', { outcome: 'done' });
    expect((await staged.assignment()).status).toBe('completed');
  });

  it('can be left by cancelling or ending the assignment', async () => {
    const cancelled = await stageHeld();
    const ended = await stageHeld();
    const { workspaceId } = workspace;

    await cancelAssignment(cancelled.context, { workspaceId, assignmentId: cancelled.assignmentId });
    await updateAssignment(workspace.context(), ended.assignmentId, { status: 'completed' });

    expect(await cancelled.advance()).toMatchObject({ kind: 'concluded', status: 'cancelled' });
    expect(await ended.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });
});

describe('an assignment that is created while its workflow is held', () => {
  const createHeld = async (rootTask: RevisionTask) => {
    const { memberId: assistantMemberId } = await createAssistant(workspace.context(), {
      name: 'Guide',
      instructions: 'Be brief.',
    });
    const { workflowId } = await publishDefinition(workspace, rootTask, { assistantMemberId });
    await hold(workflowId);
    return workflowId;
  };

  it.each([
    ['a message', greeting, ['Hello']],
    ['a conversation', talk, []],
    ['a wait', pause, []],
  ])('begins with %s after the resumption', async (_, rootTask, sent) => {
    const definitionId = await createHeld(rootTask);
    const created = await createAssignment(workspace.context(), { workflowId: definitionId });
    const { clock } = workspace.context();
    const input = { workspaceId: workspace.workspaceId, assignmentId: created.id };
    const takeStep = () =>
      advanceAssignment({ db: workspace.database, clock, outreach: liveOutreach }, input);
    expect(created.currentTask).toMatchObject({ taskName: rootTask.name, visitedAt: null });
    expect(await takeStep()).toEqual(rests(rootTask.name));
    const visits = () =>
      within((tx) =>
        tx('assignment_timeline_entries').where({ assignment_id: created.id, kind: 'entered' }).orderBy('id'),
      );
    const written = () =>
      within((tx) => tx('messages').where({ chat_id: created.chatId }).orderBy('id').pluck('content'));
    expect(await visits()).toEqual([]);
    expect(await written()).toEqual([]);

    await resume(definitionId);
    const step = await takeStep();
    await takeStep();

    expect(await written()).toEqual(sent);
    expect(await visits()).toMatchObject([
      { caused_by: 'automatic', from_assignment_task_id: null },
      ...(rootTask === greeting ? [{ caused_by: 'automatic' }] : []),
    ]);
    expect(step.kind).toBe(rootTask === pause ? 'wait' : 'turn');
  });

  it('counts a message that came before the beginning as a reply to it', async () => {
    const definitionId = await createHeld({
      ...pause,
      configuration: { event: 'chat:replied', atMost: 'P1D' },
    });
    const number = await addPhoneNumber(workspace, { inboundWorkflowId: definitionId });
    const from = '+12025550199';
    await receiveSms(workspace.context(), {
      carrierMessageId: randomUUID(),
      from,
      to: number.number,
      body: 'Hello?',
    });
    const [assignment] = await within((tx) => tx('assignments').where({ definition_id: definitionId }));
    const takeStep = () =>
      advanceAssignment(workspace.context(), {
        workspaceId: workspace.workspaceId,
        assignmentId: Number(assignment.id),
      });

    expect(await takeStep()).toEqual(rests('Pause'));
    const [chat] = await within((tx) => tx('chats').where({ id: assignment.chat_id }));
    expect(chat).toMatchObject({ needs_response: true, needs_response_reason: 'workflow_held' });

    await resume(definitionId);
    expect(await takeStep()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
  });
});

describe('holding and resuming', () => {
  it('are idempotent: a second hold keeps the time and takes its reason, a second resumption pokes nothing', async () => {
    const { workflowId } = await publishDefinition(workspace, talk);
    const first = await holdWorkflowDefinition(workspace.context(), workflowId, 'A mistake in the text');
    expect(first).toMatchObject({ heldAt: expect.any(Date), heldReason: 'A mistake in the text' });
    const second = await holdWorkflowDefinition(workspace.context(), workflowId, 'Another');
    expect(second).toMatchObject({ heldAt: first.heldAt, heldReason: 'Another' });

    expect(await resume(workflowId)).toMatchObject({ heldAt: null, heldReason: null });
    await emptyOutbox(database);
    expect(await resume(workflowId)).toMatchObject({ heldAt: null });
    expect(await within((tx) => tx('outbox').where({ run_type: 'wakeAssignments' }))).toEqual([]);
  });

  it('may follow each other quickly: the assignment rests with the second hold, and is woken after it', async () => {
    const staged = await stageHeld();
    await staged.advance();
    await resume(staged.definitionId);
    await hold(staged.definitionId);

    expect(await wake(staged.definitionId)).toEqual({ woken: 0, finished: true });
    expect(await staged.advance()).toEqual(rests('Talk'));
    await emptyOutbox(database);

    expect(await resumeAndStep(staged)).toMatchObject({ kind: 'turn' });
  });

  it('wake nothing that has not met the hold, and nothing that has ended', async () => {
    const met = await stageHeld();
    const other = await stageAssignment(workspace, talk, {});
    await met.advance();
    await updateAssignment(workspace.context(), met.assignmentId, { status: 'failed' });
    await emptyOutbox(database);
    await resume(met.definitionId);

    expect(await wake(met.definitionId)).toEqual({ woken: 1, finished: true });
    expect(await poked(met)).toBe(false);
    expect(await poked(other)).toBe(false);
  });
});

describe('a step that meets a hold', () => {
  const lock = (tx: Tx, { assignmentId, clock }: { assignmentId: number; clock: { now(): Date } }) =>
    lockEnteringMachine(tx, assignmentId, { outreach: liveOutreach, now: clock.now(), ofRun: false });

  it('is waited for by the resumption, which then wakes it', async () => {
    const staged = await stageHeld();
    let resuming: Promise<unknown> | undefined;
    const step = await within(async (tx) => {
      const found = await advance(await lock(tx, staged));
      resuming = resume(staged.definitionId);
      await whenWaitedFor(tx);
      return found;
    });
    expect(step).toEqual(rests('Talk'));
    await resuming;
    await emptyOutbox(database);

    expect(await wake(staged.definitionId)).toEqual({ woken: 1, finished: true });
    expect(await poked(staged)).toBe(true);
  });

  it('continues if the workflow is resumed before it has noted that it rests', async () => {
    const staged = await stageHeld();
    const step = await within(async (tx) => {
      const machine = await lock(tx, staged);
      expect(machine?.isHeld).toBe(true);
      await resume(staged.definitionId);
      return advance(machine);
    });

    expect(step).toMatchObject({ kind: 'turn' });
    expect(await wake(staged.definitionId)).toEqual({ woken: 0, finished: true });
  });

  it('is woken whenever it and the resumption happen at once', async () => {
    const staged = await stageHeld();
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      await hold(staged.definitionId);
      await emptyOutbox(database);
      const [step] = await Promise.all([staged.advance(), resume(staged.definitionId)]);
      await wake(staged.definitionId);
      expect(await poked(staged)).toBe(step.kind === 'wait');
      outcomes.add(step.kind);
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['wait']));
  });

  it('is not hindered by a change of the workflow that is in progress', async () => {
    const staged = await stageHeld();
    await within(async (tx) => {
      await tx('workflow_definitions').where({ id: staged.definitionId }).forNoKeyUpdate();
      expect(await staged.advance()).toEqual(rests('Talk'));
    });
    await updateWorkflowDefinition(workspace.context(), staged.definitionId, { description: 'New' });
    expect(await staged.advance()).toEqual(rests('Talk'));
  });
});
