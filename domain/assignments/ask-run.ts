import type { AssignmentRow } from '../../db/assignments/assignments.js';
import type { CommandContext } from '../kernel/context.js';
import { pokeAssignmentRun } from '../kernel/runs.js';

/**
 * Sends a command to an assignment's run, and pokes the run if no answer comes. The step may have been committed
 * although Temporal dropped the update together with its workflow task; the poke makes the run read the database
 * (docs/decisions/0087-unanswered-commands.md).
 *
 * @throws the errors of `ask`
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
