import type { AssignmentRow } from '../../db/assignments/assignments.js';
import type { SelectTaskRequest, SelectTaskResult } from '../../workflows/contracts/commands.js';
import type { AssignmentRunInput } from '../../workflows/contracts/runs.js';
import type { Actor } from '../kernel/actor.js';
import type { CommandContext } from '../kernel/context.js';
import { pokeAssignmentRun } from '../kernel/runs.js';

/** How long a caller waits for a run's answer. */
export const answerWithinMs = 10_000;

/** Everything needed to start an assignment's run, so that a command can reach it before the relay has started it. */
export type AssignmentRunRef = AssignmentRunInput & { assignmentUuid: string };

/**
 * The domain's port to runs that have to answer. Both methods throw `Unavailable` if no answer arrives in time; the
 * request may still take effect later, once.
 */
export interface AssignmentRuns {
  /** @returns undefined if the run is closed: the assignment's row then has the result */
  selectTask(run: AssignmentRunRef, request: SelectTaskRequest): Promise<SelectTaskResult | undefined>;

  cancelAssignment(run: AssignmentRunRef, request: { requestUuid: string }): Promise<void>;
}

export function runRefOf(actor: Actor, assignment: AssignmentRow, definitionName: string): AssignmentRunRef {
  return {
    workspaceId: actor.workspaceId,
    workspaceUuid: actor.workspaceUuid,
    assignmentId: assignment.id,
    assignmentUuid: assignment.uuid,
    chatId: assignment.chatId,
    memberId: assignment.memberId,
    definitionName,
  };
}

/**
 * Sends a command to an assignment's run, and pokes the run if no answer comes: the step may have been committed
 * although Temporal dropped the update (docs/decisions/0072-runs-close-after-their-answers.md). Throws the errors of `ask`.
 */
export async function askRun<Answer>(
  { db, actor }: Pick<CommandContext, 'db' | 'actor'>,
  assignment: AssignmentRow,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    // Report the first error, not one of the poke: if the command is repeated, it pokes the run again.
    await db.inWorkspace(actor.workspaceId, (tx) => pokeAssignmentRun(tx, assignment)).catch(() => {});
    throw error;
  }
}
