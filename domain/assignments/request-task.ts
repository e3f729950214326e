import { randomUUID } from 'node:crypto';
import { definitionNameOfAssignment } from '../../db/queries/assignment-details.js';
import { findAssignmentTask, findVisitByRequest } from '../../db/queries/assignment-tasks.js';
import type { AssignmentRow } from '../../db/queries/assignments.js';
import { databaseTimeMs } from '../../db/queries/database-time.js';
import { loadRevisionTasks } from '../../db/queries/workflow-tasks.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound, Unavailable } from '../errors.js';
import { type AssignmentRuns, answerWithinMs, type SelectionAnswer } from './assignment-runs.js';
import type { AssignmentTaskView } from './assignment-view.js';
import { findTaskView } from './get-assignment-task.js';
import { assignmentNotActive, runClosed, writableAssignment } from './require-assignment.js';
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
  const { db, actor } = context;
  const { assignment, run, askedAt } = await db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [found, task, definitionName = '', now] = await Promise.all([
      writableAssignment(tx, actor, assignmentId),
      findAssignmentTask(tx, assignmentTaskId),
      definitionNameOfAssignment(tx, assignmentId),
      databaseTimeMs(tx),
    ]);
    if (task?.assignmentId !== assignmentId) throw new NotFound('Task');
    if (found.status !== 'active') throw assignmentNotActive();
    return { assignment: found, run: runRefOf(actor, found, definitionName), askedAt: now };
  });

  const requestUuid = randomUUID();
  const answered = await runs.selectTask(run, {
    requestUuid,
    assignmentTaskId,
    actorMemberId: actor.memberId,
    byOperator: assignment.memberId !== actor.memberId,
    answerBy: askedAt + answerWithinMs,
  });
  const answer = answered ?? (await answerOfClosedRun(context, assignmentId, requestUuid));
  if (answer.kind === 'not_active') throw assignmentNotActive();
  if (answer.kind === 'expired') throw new Unavailable('The run of the assignment was too late.');
  if (answer.kind === 'refused') throw await taskNotAllowed(context, assignment, answer);
  return db.readInWorkspace(actor.workspaceId, (tx) => findTaskView(tx, assignment, assignmentTaskId));
}

/** What became of a select whose run closed meanwhile, as the database has it. */
async function answerOfClosedRun(
  { db, actor }: CommandContext,
  assignmentId: number,
  requestUuid: string,
): Promise<SelectionAnswer> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [visit, { status }] = await Promise.all([
      findVisitByRequest(tx, requestUuid),
      writableAssignment(tx, actor, assignmentId),
    ]);
    if (visit !== undefined) return { kind: 'entered' };
    if (status === 'active') throw runClosed();
    return { kind: 'not_active' };
  });
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
