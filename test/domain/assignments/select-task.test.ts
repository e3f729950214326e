import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AssignmentTaskVisitModel } from '../../../db/assignments/models/assignment-task.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import type { SelectTaskResult } from '../../../workflows/contracts/commands.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const stage = (options = {}) => stageAssignment(suite.workspace, conversationTasks(), options);

const select = async (
  staged: StagedAssignment,
  taskName: string,
  request: { requestUuid?: string; byOperator?: boolean; notAfter?: number } = {},
): Promise<SelectTaskResult> => {
  const { answer } = await selectTask(staged.context, {
    workspaceId: staged.workspaceId,
    assignmentId: staged.assignmentId,
    assignmentTaskId: (await staged.task(taskName)).id,
    requestUuid: request.requestUuid ?? randomUUID(),
    actorMemberId: suite.workspace.member.memberId,
    byOperator: request.byOperator ?? false,
    notAfter: request.notAfter ?? staged.clock.now().getTime(),
  });
  return answer;
};

const visits = (staged: StagedAssignment) =>
  suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) =>
    AssignmentTaskVisitModel.query(tx).where({ assignment_id: staged.assignmentId }).orderBy('id'),
  );

describe('selectTask', () => {
  it('enters the task and stores the visit', async () => {
    const staged = await stage({ isTest: true });
    const requestUuid = randomUUID();

    expect(await select(staged, 'Closed', { requestUuid })).toEqual({ kind: 'entered' });

    expect(await staged.currentTask()).toBe('Closed');
    expect((await staged.task('Closed')).visitedAt).toEqual(staged.clock.now());
    expect(await visits(staged)).toMatchObject([
      { enteredBy: 'automatic', requestUuid: null, fromAssignmentTaskId: null },
      {
        enteredBy: 'member',
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

    const { answer } = await selectTask(staged.context, {
      workspaceId: staged.workspaceId,
      assignmentId: staged.assignmentId,
      assignmentTaskId: (await other.task('Closed')).id,
      requestUuid: randomUUID(),
      actorMemberId: suite.workspace.member.memberId,
      byOperator: true,
      notAfter: staged.clock.now().getTime(),
    });

    expect(answer).toMatchObject({ kind: 'refused', rule: 'not_in_tree' });
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
