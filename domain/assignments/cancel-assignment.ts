import { findCancellationReason } from '../../db/assignments/assignments.js';
import type { ServiceContext } from '../kernel/context.js';
import { conclude, supersedeForEnd } from './machine/conclude.js';
import { lockMachine } from './machine/machine.js';

/**
 * Cancels an assignment: by request of a person, whose reason stands in the row of that uuid, or in the Temporal
 * UI. One that is concluded already stays as it is.
 *
 * @returns the status it has then
 */
export async function cancelAssignment(
  context: ServiceContext,
  input: { workspaceId: number; assignmentId: number; requestUuid?: string },
): Promise<{ status: string }> {
  const now = context.clock.now();
  return context.db.inWorkspace(input.workspaceId, async (tx) => {
    const machine = await lockMachine(tx, input.assignmentId, now);
    if (machine === undefined) return { status: 'deleted' };
    if (machine.assignment.status !== 'active') return { status: machine.assignment.status };

    const reason =
      input.requestUuid === undefined ? null : await findCancellationReason(tx, input.requestUuid);
    await supersedeForEnd(machine);
    await conclude(
      machine,
      { status: 'cancelled', ...(reason === null ? {} : { outcomeReason: reason }) },
      { inTurn: false },
    );
    return { status: machine.assignment.status };
  });
}
