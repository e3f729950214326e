import type { Tx } from '../../db/database.js';
import { insertAssignmentTasks } from '../../db/queries/assignment-tasks.js';
import { type AssignmentRow, insertAssignment } from '../../db/queries/assignments.js';
import type { ChatRow } from '../../db/queries/chats.js';
import { loadRevisionTasks } from '../../db/queries/workflow-tasks.js';
import { startAssignmentRun } from '../runs.js';
import { enterTask } from './machine/enter-task.js';
import { assemble } from './machine/machine.js';

/**
 * Begins an assignment in a chat that was just created: all its tasks, the root current and entered, and the
 * start of its run, in the caller's transaction.
 */
export async function beginAssignment(
  tx: Tx,
  chat: ChatRow,
  input: { definitionId: number; revisionId: number; createdByMemberId: number | null },
  now: Date,
): Promise<{ assignment: AssignmentRow; chat: ChatRow }> {
  const assignment = await insertAssignment(tx, {
    ...input,
    memberId: chat.memberId,
    chatId: chat.id,
    isTest: chat.isTest,
  });
  const tasks = await loadRevisionTasks(tx, input.revisionId);
  await insertAssignmentTasks(
    tx,
    assignment.id,
    tasks.map((task) => task.id),
  );
  // Before anything the root does on entry asks for a poke.
  await startAssignmentRun(tx, assignment);
  const machine = await assemble(tx, now, chat, assignment, tasks);
  await enterTask(machine, machine.tree.root, { by: 'automatic', inTurn: false });
  return { assignment: machine.assignment, chat: machine.chat };
}
