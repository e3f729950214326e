import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { advanceAssignment } from '../../../../../domain/assignments/advance-assignment.js';
import { cancelAssignment } from '../../../../../domain/assignments/cancel-assignment.js';
import { createAssignment } from '../../../../../domain/assignments/create-assignment.js';
import { activeAssignments } from '../../../../../domain/assignments/reconcile-runs.js';
import { selectTask } from '../../../../../domain/assignments/select-task.js';
import { updateAssignment } from '../../../../../domain/assignments/update-assignment.js';
import type { RevisionTask } from '../../../../../domain/definitions/revision-rules/types.js';
import { holdWorkflowDefinition } from '../../../../../domain/definitions/workflow-definitions/hold-workflow-definition.js';
import { resumeWorkflowDefinition } from '../../../../../domain/definitions/workflow-definitions/resume-workflow-definition.js';
import { type StagedAssignment, stageAssignment } from '../../../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../../../support/db/empty-outbox.js';
import { namesOf, type ToldEvent, toldDuring } from '../../../../support/webhooks/told-events.js';
import { publishDefinition } from '../../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../../support/workspace/use-workspace.js';
import { call, runToolCall, Turn } from '../../../agent/take-round.js';

const suite = useWorkspace({ storesEvents: true });
const talk: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask how it went.',
  abilities: [{ abilityType: 'handoff' }],
  children: [
    { name: 'Next', taskType: 'conversation', prompt: 'Ask more.', abilities: [{ abilityType: 'conclude' }] },
  ],
};
const stage = (rootTask: RevisionTask = talk) => stageAssignment(suite.workspace, rootTask);
const during = (work: () => Promise<unknown>) => toldDuring(suite.workspace, work);

const select = async (staged: StagedAssignment, name: string, requestUuid = randomUUID()) =>
  selectTask(staged.context, {
    workspaceId: staged.workspaceId,
    assignmentId: staged.assignmentId,
    assignmentTaskId: (await staged.task(name)).id,
    requestUuid,
    actorMemberId: suite.workspace.member.memberId,
    byOperator: false,
  });
const called = async (staged: StagedAssignment, name: string, input: object) => {
  const answered = await new Turn(staged).take(call([name, input]));
  const [id = ''] = answered.kind === 'tools' ? answered.toolCallIds : [];
  return () => runToolCall(staged, id);
};
const tasksOf = (events: readonly ToldEvent[]) =>
  events.flatMap(({ event, task, causedBy }) =>
    event === 'assignment:task_entered' ? [`${(task as { name: string }).name} by ${causedBy}`] : [],
  );
const chain: RevisionTask = {
  name: 'Greet',
  taskType: 'message',
  configuration: { text: 'Good morning' },
  autoNext: true,
  children: [{ name: 'End', taskType: 'conclude', configuration: { outcome: 'greeted' } }],
};

describe('assignment:created and assignment:task_entered', () => {
  it('come in order when an assignment begins, with the tasks that it goes through by itself', async () => {
    const events = await during(() => stage(chain));

    expect(namesOf(events)).toEqual([
      'chat:created',
      'assignment:created',
      'assignment:task_entered',
      'message:sent',
      'assignment:task_entered',
      'assignment:concluded',
    ]);
    expect(tasksOf(events)).toEqual(['Greet by automatic', 'End by automatic']);
    const { memberId } = suite.workspace.member;
    expect(events[1]).toMatchObject({ assignment: { memberId, status: 'active', concludedAt: null } });
    expect(events[5]).toMatchObject({
      assignment: { memberId, status: 'completed', outcome: 'greeted', concludedAt: expect.any(String) },
      causedBy: 'automatic',
    });
    expect(
      new Set(events.slice(1).map(({ assignment, chat }) => JSON.stringify(assignment ?? chat))).size,
    ).toBe(3);
  });

  it('say who selected a task, once for each request', async () => {
    const staged = await stage();
    const requestUuid = randomUUID();

    const events = await during(() =>
      Promise.all(Array.from({ length: 20 }, () => select(staged, 'Next', requestUuid))),
    );

    expect(tasksOf(events)).toEqual(['Next by member']);
  });

  it('say that the agent selected a task, also where its tool runs twice', async () => {
    const staged = await stage();
    const { taskId } = await staged.task('Next');
    const [next] = await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      tx('workflow_tasks').where({ id: taskId }),
    );
    const run = await called(staged, 'select_task', { task: next.uuid });

    const events = await during(async () => [await run(), await run()]);

    expect(tasksOf(events)).toEqual(['Next by agent']);
  });

  it('say that the first task is entered only when its held workflow is resumed', async () => {
    const admin = suite.workspace.context();
    const { workflowId } = await publishDefinition(suite.workspace, talk);
    await holdWorkflowDefinition(admin, workflowId, null);
    let assignmentId = 0;
    const begun = await during(async () => {
      assignmentId = (await createAssignment(admin, { workflowId })).id;
    });
    const step = () => advanceAssignment(admin, { workspaceId: suite.workspace.workspaceId, assignmentId });
    expect([...namesOf(begun), ...namesOf(await during(step))]).toEqual([
      'chat:created',
      'assignment:created',
    ]);

    await resumeWorkflowDefinition(admin, workflowId);

    expect(tasksOf(await during(async () => [await step(), await step()]))).toEqual(['Ask by automatic']);
  });
});

const ways: [string, (staged: StagedAssignment) => Promise<unknown>, object][] = [
  [
    'is cancelled',
    ({ context, workspaceId, assignmentId }) => cancelAssignment(context, { workspaceId, assignmentId }),
    { assignment: { status: 'cancelled' }, causedBy: 'operator' },
  ],
  [
    'is completed by a colleague',
    ({ assignmentId }) => updateAssignment(suite.workspace.context(), assignmentId, { status: 'completed' }),
    { assignment: { status: 'completed' }, causedBy: 'operator' },
  ],
  [
    'is failed by a colleague',
    ({ assignmentId }) =>
      updateAssignment(suite.workspace.context(), assignmentId, {
        status: 'failed',
        outcome: 'no_show',
        outcomeReason: 'Private words',
      }),
    { assignment: { status: 'failed', outcome: 'no_show' }, causedBy: 'operator' },
  ],
  [
    'lost its run',
    async (staged) => {
      const { uuid, id } = await staged.assignment();
      await emptyOutbox(suite.database);
      const { workspaceId } = staged;
      return activeAssignments.repair(staged.context, { workspaceId, id, uuid }, 'closed');
    },
    { assignment: { status: 'failed', outcome: 'run_terminated' }, causedBy: 'automatic' },
  ],
];

describe.each(ways)('assignment:concluded, when an assignment %s', (_what, end, told) => {
  it('comes once, whatever is repeated at once', async () => {
    const staged = await stage();
    const events = await during(() =>
      Promise.allSettled(Array.from({ length: 10 }, () => end(staged))).then(() =>
        cancelAssignment(staged.context, staged),
      ),
    );

    expect(events.filter(({ event }) => event === 'assignment:concluded')).toMatchObject([told]);
    expect(JSON.stringify(events)).not.toMatch(/private/i);
  });
});
