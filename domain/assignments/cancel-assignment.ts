import { findCancellation } from '../../db/assignments/assignments.js';
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
    const machine = await lockMachine(tx, input.assignmentId, now, true);
    if (machine === undefined) return { status: 'deleted' };
    if (machine.assignment.status !== 'active') return { status: machine.assignment.status };

    const request =
      input.requestUuid === undefined ? undefined : await findCancellation(tx, input.requestUuid);
    const actorMemberId = request?.actorMemberId ?? undefined;
    const by = actorMemberId === machine.assignment.memberId ? 'member' : 'operator';
    await supersedeForEnd(machine);
    const conclusion = { status: 'cancelled', outcomeReason: request?.reason ?? undefined } as const;
    await conclude(machine, conclusion, { by, actorMemberId, inTurn: false });
    return { status: 'cancelled' };
  });
}
