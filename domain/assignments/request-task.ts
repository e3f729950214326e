import { randomUUID } from 'node:crypto';
import { definitionNameOfAssignment } from '../../db/assignments/assignment-details.js';
import { findAssignmentTask } from '../../db/assignments/assignment-tasks.js';
import { findEntryByRequest } from '../../db/assignments/timeline-entries.js';
import { loadRevisionTasks, type WorkflowTaskRow } from '../../db/definitions/workflow-tasks.js';
import { databaseTimeMs } from '../../db/lib/database-time.js';
import type { SelectTaskResult } from '../../workflows/contracts/commands.js';
import type { CommandContext } from '../kernel/context.js';
import { Conflict, InvalidInput, NotFound, Unavailable } from '../lib/errors.js';
import { type AssignmentRuns, answerWithinMs, askRun, runRefOf } from './assignment-runs.js';
import { type AssignmentTaskView, findTaskView } from './assignment-view.js';
import { assignmentNotActive, runClosed, writableAssignment } from './require-assignment.js';

/**
 * Asks an assignment's run to enter a task. @returns the task that is current then: the entered one, or where the assignment
 * has gone on from it by itself.
 * @throws NotFound, Forbidden, InvalidInput `task_not_allowed`, Conflict `assignment_not_active` or `workflow_held`,
 * Unavailable
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
  const request = {
    requestUuid,
    assignmentTaskId,
    actorMemberId: actor.memberId,
    byOperator: assignment.memberId !== actor.memberId,
    anyTask: actor.can('assignments:write'),
    answerBy: askedAt + answerWithinMs,
  };
  const answered = await askRun(context, assignment, () => runs.selectTask(run, request));
  const answer = answered ?? (await answerOfClosedRun(context, assignmentId, requestUuid));
  if (answer.kind === 'not_active') throw assignmentNotActive();
  if (answer.kind === 'held') {
    throw new Conflict(
      'workflow_held',
      'The workflow, or the workspace, is held: no task can be selected until it is resumed.',
    );
  }
  if (answer.kind === 'expired') throw new Unavailable('The run of the assignment did not answer in time.');
  if (answer.kind === 'refused') {
    const { revisionId } = assignment;
    const tasks = await db.readInWorkspace(actor.workspaceId, (tx) => loadRevisionTasks(tx, revisionId));
    throw new InvalidInput('task_not_allowed', describeRefusal(answer, tasks));
  }
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { currentTaskId } = await writableAssignment(tx, actor, assignmentId);
    return findTaskView(tx, assignment, currentTaskId ?? assignmentTaskId);
  });
}

function answerOfClosedRun({ db, actor }: CommandContext, assignmentId: number, requestUuid: string) {
  return db.readInWorkspace(actor.workspaceId, async (tx): Promise<SelectTaskResult> => {
    const [visit, { status }] = await Promise.all([
      findEntryByRequest(tx, requestUuid),
      writableAssignment(tx, actor, assignmentId),
    ]);
    if (visit !== undefined) return { kind: 'entered' };
    if (status === 'active') throw runClosed();
    return { kind: 'not_active' };
  });
}

/** Names of tasks and expressions are configuration, not personal data. */
function describeRefusal(
  refused: Extract<SelectTaskResult, { kind: 'refused' }>,
  tasks: readonly WorkflowTaskRow[],
): string {
  const task = tasks.find(({ uuid }) => uuid === refused.taskUuid);
  if (task === undefined || refused.rule === 'not_in_tree') {
    return 'The task is not in the tree of this assignment.';
  }
  if (refused.rule === 'not_offered') {
    const offered = tasks.filter(({ uuid }) => refused.offeredTaskUuids.includes(uuid));
    return `The task "${task.name}" is not among those that the current task offers: ${namesOf(offered)}. Any other needs the permission assignments:write.`;
  }
  const [kind, expression] =
    refused.rule === 'cel_guard' ? ['guard', task.celGuard] : ['condition', task.celCondition];
  const because = refused.failure === undefined ? '' : ` (${refused.failure})`;
  return `The ${kind} of the task "${task.name}" does not hold: ${expression}${because}`;
}

function namesOf(tasks: readonly WorkflowTaskRow[]): string {
  if (tasks.length === 0) return 'none';
  const named = tasks.slice(0, 10).map(({ name }) => `"${name}"`);
  const others = tasks.length - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}
