import { randomUUID } from 'node:crypto';
import { definitionNameOfAssignment } from '../../db/queries/assignment-details.js';
import { findAssignmentTask } from '../../db/queries/assignment-tasks.js';
import type { AssignmentRow } from '../../db/queries/assignments.js';
import { loadRevisionTasks } from '../../db/queries/workflow-tasks.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound, Unavailable } from '../errors.js';
import { type AssignmentRuns, answerWithinMs, type SelectionAnswer } from './assignment-runs.js';
import type { AssignmentTaskView } from './assignment-view.js';
import { findTaskView } from './get-assignment-task.js';
import { assignmentNotActive, writableAssignment } from './require-assignment.js';
import { runRefOf } from './run-ref.js';

/**
 * Asks the run of an assignment to enter a task. The guards decide there, against the database, whoever asks.
 *
 * @throws NotFound, Forbidden, InvalidInput `task_not_allowed`, Conflict `assignment_not_active`, Unavailable
 */
export async function requestTask(
  context: CommandContext,
  runs: Pick<AssignmentRuns, 'selectTask'>,
  assignmentId: number,
  assignmentTaskId: number,
): Promise<AssignmentTaskView> {
  const { db, actor, clock } = context;
  const { assignment, run } = await db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [found, task, definitionName = ''] = await Promise.all([
      writableAssignment(tx, actor, assignmentId),
      findAssignmentTask(tx, assignmentTaskId),
      definitionNameOfAssignment(tx, assignmentId),
    ]);
    if (task?.assignmentId !== assignmentId) throw new NotFound('Task');
    if (found.status !== 'active') throw assignmentNotActive();
    return { assignment: found, run: runRefOf(actor, found, definitionName) };
  });

  const answer = await runs.selectTask(run, {
    requestUuid: randomUUID(),
    assignmentTaskId,
    actorMemberId: actor.memberId,
    byOperator: assignment.memberId !== actor.memberId,
    notAfter: clock.now().getTime() + answerWithinMs,
  });
  if (answer.kind === 'not_active') throw assignmentNotActive();
  if (answer.kind === 'expired') throw new Unavailable('The run of the assignment was too late.');
  if (answer.kind === 'refused') throw await taskNotAllowed(context, assignment, answer);
  return db.readInWorkspace(actor.workspaceId, (tx) => findTaskView(tx, assignment, assignmentTaskId));
}

/** Names the task and the expression that failed: both are configuration. */
async function taskNotAllowed(
  { db, actor }: CommandContext,
  assignment: AssignmentRow,
  { taskUuid, rule }: Extract<SelectionAnswer, { kind: 'refused' }>,
): Promise<InvalidInput> {
  const tasks = await db.readInWorkspace(actor.workspaceId, (tx) =>
    loadRevisionTasks(tx, assignment.revisionId),
  );
  const task = tasks.find((candidate) => candidate.uuid === taskUuid);
  if (task === undefined || rule === 'not_in_tree') {
    return new InvalidInput('task_not_allowed', 'The task is not in the tree of this assignment.');
  }
  const [kind, expression] =
    rule === 'cel_guard' ? ['guard', task.celGuard] : ['condition', task.celCondition];
  return new InvalidInput(
    'task_not_allowed',
    `The ${kind} of the task "${task.name}" does not hold: ${expression}`,
  );
}
