import { findAssignment } from '../../db/queries/assignments.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import { type AssignmentTaskView, viewAssignment } from './assignment-view.js';

/**
 * A task of an assignment with the tasks below it: of an own assignment, or of any with the permission.
 *
 * @throws NotFound, Forbidden
 */
export async function getAssignmentTask(
  { db, actor }: CommandContext,
  assignmentId: number,
  assignmentTaskId: number,
  permission: 'assignments:read' | 'assignments:write' = 'assignments:read',
): Promise<AssignmentTaskView> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await findAssignment(tx, assignmentId);
    if (assignment === undefined) throw new NotFound('Assignment');
    actor.requireSelfOr(assignment.memberId, permission);
    const task = (await viewAssignment(tx, actor, assignment)).tasks.get(assignmentTaskId);
    if (task === undefined) throw new NotFound('Task');
    return task;
  });
}
