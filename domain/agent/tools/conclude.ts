import { conclude } from '../../assignments/machine/conclude.js';
import type { Tool } from './tool.js';

/** Ends the assignment as completed, with its outcome. */
export const concludeAssignment: Tool = async ({ machine, performer }, input) => {
  if (machine === undefined) return { ok: false, error: 'assignment_not_active' };
  await conclude(
    machine,
    {
      status: 'completed',
      outcome: String(input.outcome),
      ...(typeof input.outcomeReason === 'string' ? { outcomeReason: input.outcomeReason } : {}),
    },
    { inTurn: performer.inTurn },
  );
  return { ok: true, status: machine.assignment.status };
};
