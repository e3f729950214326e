import type { CommandContext } from '../kernel/context.js';
import { type AssignmentView, viewAssignment } from './assignment-view.js';
import { readableAssignment } from './require-assignment.js';

/** Other members' assignments need `assignments:read`. @throws NotFound, Forbidden */
export async function getAssignment(
  { db, actor }: CommandContext,
  assignmentId: number,
): Promise<AssignmentView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    viewAssignment(tx, actor, await readableAssignment(tx, actor, assignmentId)),
  );
}
