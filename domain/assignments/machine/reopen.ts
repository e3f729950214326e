import { reasonsOfExpressions } from '../../../db/assignments/awaiting-runs.js';
import { hasUserMessageAfter } from '../../../db/conversations/messages.js';
import { missingRequired } from '../../definitions/task-tree/transitions.js';
import { agentIsDue } from '../../kernel/agent-due.js';
import type { NeedsResponseReason } from '../../kernel/alert-colleague.js';
import { agentChoosesAfter } from './enter-task.js';
import { clearStandingAlert } from './leave-task.js';
import { currentTask, type Machine, requestTurn, rowOf } from './machine.js';
import { readStanding } from './standing.js';

/**
 * If an assignment stood and a change of data has opened a way on, dismisses the alert. The agent gets the turn
 * in which it could not choose.
 */
export async function reopen(machine: Machine): Promise<void> {
  const { assignment, chat } = machine;
  if (!dataDecides.has(chat.standingReason) || assignment.status !== 'active' || agentIsDue(chat)) return;
  const { reason, isSuspended } = await readStanding(machine, currentTask(machine), false);
  if (reason !== undefined || isSuspended === true) return;
  await clearStandingAlert(machine);
  if (await agentCouldNotChoose(machine)) await requestTurn(machine, { inTurn: false });
}

/** A change of data pokes the runs of these. */
const dataDecides: ReadonlySet<string | null> = new Set(
  reasonsOfExpressions satisfies readonly NeedsResponseReason[],
);

/** Whether the agent would have had a turn since the entry of the task, had there been a choice. */
async function agentCouldNotChoose(machine: Machine): Promise<boolean> {
  const { tx, tree, rows, chat } = machine;
  const task = currentTask(machine);
  const { completedAt, enteredAfterMessageId } = rowOf(machine, task);
  if (completedAt !== null) {
    if (agentChoosesAfter.has(task.taskType) || missingRequired(tree, rows).length > 0) return true;
  } else if (task.taskType === 'wait') return false;
  return hasUserMessageAfter(tx, chat.id, enteredAfterMessageId ?? 0);
}
