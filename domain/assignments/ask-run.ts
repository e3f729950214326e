import type { AssignmentRow } from '../../db/assignments/assignments.js';
import type { CommandContext } from '../kernel/context.js';
import { pokeAssignmentRun } from '../kernel/runs.js';

/**
 * Asks an assignment's run for something. Without an answer its step may have been taken, and the run not know of it:
 * Temporal drops an update with the workflow task that was to accept it. So the run is poked, and looks for itself
 * (docs/decisions/0087-unanswered-commands.md).
 *
 * @throws what `ask` throws
 */
export async function askRun<Answer>(
  { db, actor }: Pick<CommandContext, 'db' | 'actor'>,
  assignment: AssignmentRow,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    // The caller is told what went wrong first; it repeats the command, which tells the run as well.
    await db.inWorkspace(actor.workspaceId, (tx) => pokeAssignmentRun(tx, assignment)).catch(() => {});
    throw error;
  }
}
