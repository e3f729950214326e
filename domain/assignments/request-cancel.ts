import { randomUUID } from 'node:crypto';
import { insertCancellation } from '../../db/assignments/assignments.js';
import { findDefinitionName } from '../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../kernel/context.js';
import { pokeAssignmentRun } from '../kernel/runs.js';
import { type AssignmentRuns, askRun, runRefOf } from './assignment-runs.js';
import { type AssignmentView, viewAssignment } from './assignment-view.js';
import { assignmentNotActive, runClosed, writableAssignment } from './require-assignment.js';

/**
 * Asks an assignment's run to cancel it. The reason stays in a row, of which the run gets the uuid.
 * @throws NotFound, Forbidden, Conflict `assignment_not_active` if it ended in another way, Unavailable
 */
export async function requestCancel(
  context: CommandContext,
  runs: Pick<AssignmentRuns, 'cancelAssignment'>,
  assignmentId: number,
  reason: string | null,
): Promise<AssignmentView> {
  const { db, actor } = context;
  const requestUuid = randomUUID();
  const active = await db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await writableAssignment(tx, actor, assignmentId);
    // The run may have missed the cancellation if an earlier request got no answer.
    if (assignment.status === 'cancelled') await pokeAssignmentRun(tx, assignment);
    if (assignment.status !== 'active') return undefined;
    await insertCancellation(tx, { uuid: requestUuid, assignmentId, reason, actorMemberId: actor.memberId });
    const definitionName = await findDefinitionName(tx, assignment.definitionId);
    return { assignment, run: runRefOf(actor, assignment, definitionName) };
  });
  if (active !== undefined) {
    const { assignment, run } = active;
    await askRun(context, assignment, () => runs.cancelAssignment(run, { requestUuid }));
  }

  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await writableAssignment(tx, actor, assignmentId);
    if (assignment.status === 'cancelled') {
      return viewAssignment(tx, actor, assignment, context.clock.now());
    }
    if (assignment.status === 'active') throw runClosed();
    throw assignmentNotActive();
  });
}
