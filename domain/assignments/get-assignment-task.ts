import { tasksOfAssignments } from '../../db/assignments/assignment-details.js';
import type { AssignmentRow } from '../../db/assignments/assignments.js';
import type { Tx } from '../../db/database.js';
import type { CommandContext } from '../kernel/context.js';
import { NotFound } from '../lib/errors.js';
import { type AssignmentTaskView, taskViews } from './assignment-view.js';
import { readableAssignment } from './require-assignment.js';

/** Other members' assignments need `assignments:read`. @throws NotFound, Forbidden */
export async function getAssignmentTask(
  { db, actor }: CommandContext,
  assignmentId: number,
  assignmentTaskId: number,
): Promise<AssignmentTaskView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    findTaskView(tx, await readableAssignment(tx, actor, assignmentId), assignmentTaskId),
  );
}

/** `getAssignmentTask` for an assignment that has already been read; needs one query. @throws NotFound */
export async function findTaskView(
  tx: Tx,
  assignment: Pick<AssignmentRow, 'id' | 'definitionId'>,
  assignmentTaskId: number,
): Promise<AssignmentTaskView> {
  const task = taskViews(assignment, await tasksOfAssignments(tx, [assignment.id])).get(assignmentTaskId);
  if (task === undefined) throw new NotFound('Task');
  return task;
}
