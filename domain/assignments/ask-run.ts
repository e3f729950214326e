import type { AssignmentRow } from '../../db/assignments/assignments.js';
import type { CommandContext } from '../kernel/context.js';
import { pokeAssignmentRun } from '../kernel/runs.js';

/**
 * Sends a command to an assignment's run, and pokes the run where no answer comes. The step may have been committed
 * although Temporal dropped the update with its workflow task; the poke makes the run read the database
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
    // The first error is the one to report. A repeated command pokes the run as well.
    await db.inWorkspace(actor.workspaceId, (tx) => pokeAssignmentRun(tx, assignment)).catch(() => {});
    throw error;
  }
}
