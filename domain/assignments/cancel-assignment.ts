import { findCancellationReason } from '../../db/assignments/assignments.js';
import type { ServiceContext } from '../kernel/context.js';
import { conclude, supersedeForEnd } from './machine/conclude.js';
import { lockMachine } from './machine/machine.js';

/**
 * Cancels an assignment for a person (the row `requestUuid` has the reason) or the Temporal UI. One that has ended does
 * not change. @returns its status after the call
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

    const reason = input.requestUuid && (await findCancellationReason(tx, input.requestUuid));
    await supersedeForEnd(machine);
    await conclude(machine, { status: 'cancelled', outcomeReason: reason ?? undefined }, { inTurn: false });
    return { status: 'cancelled' };
  });
}
