import { type AssignmentRow, findAssignment } from '../../db/assignments/assignments.js';
import type { Tx } from '../../db/tx.js';
import type { Actor } from '../kernel/actor.js';
import { Conflict, NotFound, Unavailable } from '../lib/errors.js';

/** The actor's own assignment, or any with `assignments:read`. @throws NotFound, Forbidden */
export function readableAssignment(tx: Tx, actor: Actor, assignmentId: number): Promise<AssignmentRow> {
  return requireAssignment(tx, actor, assignmentId, 'assignments:read');
}

/** The actor's own assignment, or any with `assignments:write`. @throws NotFound, Forbidden */
export function writableAssignment(tx: Tx, actor: Actor, assignmentId: number): Promise<AssignmentRow> {
  return requireAssignment(tx, actor, assignmentId, 'assignments:write');
}

async function requireAssignment(
  tx: Tx,
  actor: Actor,
  assignmentId: number,
  permission: 'assignments:read' | 'assignments:write',
): Promise<AssignmentRow> {
  const assignment = await findAssignment(tx, assignmentId);
  if (assignment === undefined) throw new NotFound('Assignment');
  actor.requireSelfOr(assignment.memberId, permission);
  return assignment;
}

export function assignmentNotActive(): Conflict {
  return new Conflict('assignment_not_active', 'The assignment is not active any more.');
}

/** The error for a run that was closed while its assignment is active. The reconciler will conclude the assignment. */
export function runClosed(): Unavailable {
  return new Unavailable('The run of the assignment is closed.', 60, 'run_closed');
}
