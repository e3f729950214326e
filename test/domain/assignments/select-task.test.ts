import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { selectVisitsAfter } from '../../../db/assignments/timeline-entries.js';
import { readSituation } from '../../../domain/agent/read-situation.js';
import { requestTask } from '../../../domain/assignments/request-task.js';
import { type SelectTask, selectTask } from '../../../domain/assignments/select-task.js';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { SelectTaskRequest, SelectTaskResult } from '../../../workflows/contracts/commands.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, runToolCall, Turn, toolResult } from '../agent/take-round.js';

const suite = useWorkspace();
const stage = (options = {}) => stageAssignment(suite.workspace, conversationTasks(), options);

/** Selects a task, as the member unless `request` says otherwise. */
const select = async (
  staged: StagedAssignment,
  taskName: string,
  request: Partial<SelectTask> = {},
): Promise<SelectTaskResult> => {
  const { answer } = await selectTask(staged.context, {
    workspaceId: staged.workspaceId,
    assignmentId: staged.assignmentId,
    assignmentTaskId: (await staged.task(taskName)).id,
    requestUuid: randomUUID(),
    actorMemberId: suite.workspace.member.memberId,
    byOperator: false,
    ...request,
  });
  return answer;
};

const visits = (staged: StagedAssignment) =>
  suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) =>
    selectVisitsAfter(tx, staged.assignmentId, 0),
  );

describe('selectTask', () => {
  it('enters the task and stores the visit', async () => {
    const staged = await stage({ isTest: true });
    const requestUuid = randomUUID();

    expect(await select(staged, 'Closed', { requestUuid })).toEqual({ kind: 'entered' });

    expect(await staged.currentTask()).toBe('Closed');
    expect((await staged.task('Closed')).visitedAt).toEqual(staged.clock.now());
    expect(await visits(staged)).toMatchObject([
      { causedBy: 'automatic', requestUuid: null, fromAssignmentTaskId: null },
      {
        causedBy: 'member',
        requestUuid,
        actorMemberId: suite.workspace.member.memberId,
        fromAssignmentTaskId: (await staged.task('Ask')).id,
      },
    ]);
  });

  it.each([true, false])('refuses a task whose guard does not hold (operator: %s)', async (byOperator) => {
    const staged = await stage();

    expect(await select(staged, 'Closed', { byOperator })).toMatchObject({
      kind: 'refused',
      rule: 'cel_guard',
    });
    expect(await select(staged, 'Inner', { byOperator })).toMatchObject({ rule: 'cel_guard' });
    expect(await select(staged, 'Later', { byOperator })).toMatchObject({ rule: 'cel_condition' });
    expect(await staged.currentTask()).toBe('Ask');
    expect(await visits(staged)).toHaveLength(1);
  });

  it('refuses a task of another assignment', async () => {
    const staged = await stage({ isTest: true });
    const other = await stage({ isTest: true });

    const { id } = await other.task('Closed');

    expect(await select(staged, 'Closed', { assignmentTaskId: id, byOperator: true })).toMatchObject({
      kind: 'refused',
      rule: 'not_in_tree',
    });
  });

  it('enters the task once for a repeated request uuid', async () => {
    const staged = await stage({ isTest: true });
    const requestUuid = randomUUID();

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => select(staged, 'Closed', { requestUuid })),
    );

    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['entered']));
    expect(await visits(staged)).toHaveLength(2);
  });

  it('returns entered for a repeated request that has ended the assignment', async () => {
    const staged = await stage();
    const requestUuid = randomUUID();

    expect(await select(staged, 'Good', { requestUuid })).toEqual({ kind: 'entered' });
    expect(await select(staged, 'Good', { requestUuid })).toEqual({ kind: 'entered' });
    expect(await select(staged, 'Ask')).toEqual({ kind: 'not_active' });
    expect(await staged.assignment()).toMatchObject({ status: 'completed', outcome: 'good' });
  });

  it('raises the version of the chat, so that a turn in progress is superseded', async () => {
    const staged = await stage();
    const before = await staged.chat();

    await select(staged, 'Good');

    expect((await staged.chat()).version).toBeGreaterThan(before.version);
  });

  it('enters nothing after the deadline of its caller', async () => {
    const staged = await stage();
    const notAfter = staged.clock.now().getTime();
    staged.clock.advance(1);

    expect(await select(staged, 'Good', { notAfter })).toEqual({ kind: 'expired' });
    expect(await staged.currentTask()).toBe('Ask');
  });
});

const talk = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [{ abilityType: 'handoff' }],
  ...more,
});

/** Two rooms with a door each, and a handoff before the last task. */
const house = talk('Hall', {
  children: [
    talk('Left', { children: [talk('Left door')] }),
    talk('Right', { children: [talk('Right door')] }),
    talk('Cellar', { celGuard: 'assignment.is_test' }),
    {
      name: 'Doctor',
      taskType: 'handoff',
      required: true,
      configuration: {},
      children: [talk('Approved'), talk('Declined')],
    },
    {
      name: 'Decide',
      taskType: 'decision',
      children: [
        talk('Won', { celCondition: 'assignment.is_test' }),
        talk('Lost', { celCondition: '!assignment.is_test' }),
      ],
    },
    { name: 'Goodbye', taskType: 'message', autoNext: true, configuration: { text: 'Goodbye.' } },
  ],
});

const stageHouse = () => stageAssignment(suite.workspace, house);
const selectOffered = (staged: StagedAssignment, taskName: string) =>
  select(staged, taskName, { anyTask: false });

/** The uuids of the tasks that the agent may choose at this moment. */
const choicesOfAgent = async (staged: StagedAssignment): Promise<string[]> => {
  const chat = await staged.chat();
  const { choices } = await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
    readSituation(tx, chat, staged.clock.now()),
  );
  return choices.map(({ uuid }) => uuid);
};

describe('selectTask for a member without the permission', () => {
  it.each(['Hall', 'Left', 'Goodbye'])('offers in "%s" the same tasks as the agent gets', async (place) => {
    const staged = await stageHouse();
    if (place !== 'Hall') await selectOffered(staged, place);

    const answer = await selectOffered(staged, 'Right door');

    expect(answer).toMatchObject({ kind: 'refused', rule: 'not_offered' });
    expect(answer).toHaveProperty('offeredTaskUuids', await choicesOfAgent(staged));
    expect(await staged.currentTask()).toBe(place);
  });

  it('enters a child of a decision only through the decision, whose condition counts', async () => {
    const staged = await stageHouse();

    expect(await selectOffered(staged, 'Won')).toMatchObject({ rule: 'not_offered' });
    expect(await selectOffered(staged, 'Decide')).toEqual({ kind: 'entered' });

    expect(await staged.currentTask()).toBe('Lost');
  });

  it('reports a guard that does not hold before any other rule', async () => {
    expect(await selectOffered(await stageHouse(), 'Cellar')).toMatchObject({ rule: 'cel_guard' });
  });

  it.each([false, true])(
    'waits in a handoff for a colleague (paused by the member before: %s)',
    async (paused) => {
      const staged = await stageHouse();
      await updateChat(staged.context, staged.chatId, { paused });
      await selectOffered(staged, 'Doctor');

      expect(await selectOffered(staged, 'Approved')).toMatchObject({
        rule: 'not_offered',
        offeredTaskUuids: [],
      });
      await expect(updateChat(staged.context, staged.chatId, { paused: false })).rejects.toThrow(
        'chats:write',
      );
      expect(await staged.currentTask()).toBe('Doctor');

      await updateChat(suite.workspace.context(), staged.chatId, { paused: false });
      await staged.advance();
      expect(await selectOffered(staged, 'Approved')).toEqual({ kind: 'entered' });
    },
  );
});

describe.each([{ anyTask: true }, {}])('selectTask with anyTask or from an earlier version: %j', (asked) => {
  it('checks the guards only', async () => {
    const staged = await stageHouse();

    expect(await select(staged, 'Right door', asked)).toEqual({ kind: 'entered' });
    expect(await select(staged, 'Hall', asked)).toEqual({ kind: 'entered' });
    expect(await select(staged, 'Cellar', asked)).toMatchObject({ rule: 'cel_guard' });
  });
});

it('requestTask names ten of the offered tasks in the refusal, and the number of the others', async () => {
  const doors = Array.from({ length: 12 }, (_, index) =>
    talk(`Door ${index}`, index === 0 ? { children: [talk('Behind')] } : {}),
  );
  const staged = await stageAssignment(suite.workspace, talk('Hall', { children: doors }));
  const runs = {
    selectTask: async (_run: unknown, { assignmentTaskId: _id, ...request }: SelectTaskRequest) =>
      select(staged, 'Behind', request),
  };

  const asked = requestTask(staged.context, runs, staged.assignmentId, (await staged.task('Behind')).id);

  await expect(asked).rejects.toThrow('"Door 8", "Door 9" and 2 more. Any other needs');
});

beforeAll(async () => {
  await createDataType(suite.workspace.context(), {
    name: 'Intake',
    slug: 'intake',
    isCollection: false,
    fields: [{ slug: 'age', name: 'Age', fieldType: 'integer' }],
  });
});

it.each([
  ['a field that the member has no data of', 'member.form_data.intake.age > 17', ' (no such key: age)'],
  ['a value that cannot be compared', 'call > 1', ' (no such overload at 0)'],
  ['a key that comes from data', 'member.form_data[member.name].age > 17', ' (no such key at 0)'],
  ['nothing that is missing', 'member.name == "Nobody"', ''],
])('requestTask says why a guard cannot be evaluated: %s', async (_what, celGuard, because) => {
  const hall = talk('Hall', { children: [talk('Locked', { celGuard })] });
  const staged = await stageAssignment(suite.workspace, hall);
  const runs = {
    selectTask: async (_run: unknown, { assignmentTaskId: _id, ...request }: SelectTaskRequest) =>
      select(staged, 'Locked', request),
  };

  const asked = requestTask(staged.context, runs, staged.assignmentId, (await staged.task('Locked')).id);

  const message = `The guard of the task "Locked" does not hold: ${celGuard}${because}`;
  await expect(asked).rejects.toMatchObject({ code: 'task_not_allowed', message });
});

describe('a select during a turn of the agent', () => {
  /** The agent has called select_task for the left room; the tool call is stored and not run yet. */
  async function goingLeft(): Promise<{ staged: StagedAssignment; toolCallId: string }> {
    const staged = await stageHouse();
    const [left = ''] = await choicesOfAgent(staged);
    const answered = await new Turn(staged).take(call(['select_task', { task: left }]));
    const [toolCallId = ''] = answered.kind === 'tools' ? answered.toolCallIds : [];
    return { staged, toolCallId };
  }

  it('is checked against the task that the agent has entered since the request', async () => {
    const { staged, toolCallId } = await goingLeft();
    const runs = {
      selectTask: async (_run: unknown, request: SelectTaskRequest) => {
        await runToolCall(staged, toolCallId);
        const { workspaceId, assignmentId } = staged;
        return (await selectTask(staged.context, { workspaceId, assignmentId, ...request })).answer;
      },
    };

    const asked = requestTask(staged.context, runs, staged.assignmentId, (await staged.task('Right')).id);

    await expect(asked).rejects.toMatchObject({
      kind: 'invalid',
      code: 'task_not_allowed',
      message: expect.stringContaining('offers: "Left door".'),
    });
    expect(await staged.currentTask()).toBe('Left');
  });

  it('either enters its task and supersedes the tool call, or is refused', async () => {
    const { staged, toolCallId } = await goingLeft();

    const [answer] = await Promise.all([selectOffered(staged, 'Right'), runToolCall(staged, toolCallId)]);

    const entered = answer.kind === 'entered';
    expect(await staged.currentTask()).toBe(entered ? 'Right' : 'Left');
    expect(await toolResult(staged, toolCallId)).toMatchObject(
      entered ? { ok: false, error: 'overtaken' } : { ok: true, currentTask: 'Left' },
    );
    if (!entered) expect(answer).toMatchObject({ kind: 'refused', rule: 'not_offered' });
  });
});
