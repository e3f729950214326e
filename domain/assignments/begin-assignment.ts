import type { Tx } from '../../db/database.js';
import { insertAssignmentTasks } from '../../db/queries/assignment-tasks.js';
import { type AssignmentRow, insertAssignment } from '../../db/queries/assignments.js';
import type { ChatRow } from '../../db/queries/chats.js';
import type { WorkflowDefinitionRow } from '../../db/queries/workflow-definitions.js';
import { loadRevisionTasks } from '../../db/queries/workflow-tasks.js';
import { startAssignmentRun } from '../runs.js';
import { enterTask } from './machine/enter-task.js';
import { machineOf } from './machine/machine.js';

/**
 * Begins an assignment in a chat that was just created: all its tasks, the root current and entered, and the
 * start of its run, in the caller's transaction.
 */
export async function beginAssignment(
  tx: Tx,
  chat: ChatRow,
  {
    definition,
    ...input
  }: {
    definition: Pick<WorkflowDefinitionRow, 'id' | 'name'>;
    revisionId: number;
    createdByMemberId: number | null;
  },
  now: Date,
): Promise<{ assignment: AssignmentRow; chat: ChatRow }> {
  const { memberId, id: chatId, isTest } = chat;
  const [assignment, tasks] = await Promise.all([
    insertAssignment(tx, { ...input, definitionId: definition.id, memberId, chatId, isTest }),
    loadRevisionTasks(tx, input.revisionId),
  ]);
  const taskIds = tasks.map((task) => task.id);
  const [rows] = await Promise.all([
    insertAssignmentTasks(tx, assignment.id, taskIds),
    // Before anything the root does on entry asks for a poke.
    startAssignmentRun(tx, assignment, definition.name),
  ]);
  const machine = machineOf({ tx, now, chat, assignment }, tasks, rows);
  await enterTask(machine, machine.tree.root, { by: 'automatic', inTurn: false });
  return { assignment: machine.assignment, chat: machine.chat };
}
