import { type AssignmentTaskRow, listAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import {
  type AssignmentRow,
  findAssignment,
  lockAssignment,
  lockChatOfAssignment,
} from '../../../db/assignments/assignments.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/database.js';
import { loadRevisionTasks, type WorkflowTaskRow } from '../../../db/definitions/workflow-tasks.js';
import { buildTaskTree } from '../../definitions/task-tree/build-task-tree.js';
import type { TaskNode, TaskStates, TaskTree } from '../../definitions/task-tree/types.js';
import { toTaskNode } from './task-node.js';

/**
 * An assignment with everything its rules look at, for the length of one transaction. The rows are kept in step
 * with what is written.
 */
export interface Machine {
  readonly tx: Tx;
  readonly now: Date;
  readonly tree: TaskTree;
  assignment: AssignmentRow;
  chat: ChatRow;
  /** `assignment_tasks` rows by workflow task id. */
  readonly rows: Map<number, AssignmentTaskRow>;
}

/** Loads an assignment and takes the locks that changing it needs: its chat's row, then its own. */
export async function lockMachine(tx: Tx, assignmentId: number, now: Date): Promise<Machine | undefined> {
  const [found, chat] = await Promise.all([
    findAssignment(tx, assignmentId),
    lockChatOfAssignment(tx, assignmentId),
  ]);
  if (found === undefined || chat === undefined) return undefined;
  // Whoever changes any of it holds the chat's lock: the rest is asked for in one go.
  const [assignment, tasks, rows] = await Promise.all([
    lockAssignment(tx, assignmentId),
    loadRevisionTasks(tx, found.revisionId),
    listAssignmentTasks(tx, assignmentId),
  ]);
  return assignment && machineOf({ tx, now, tree: treeOf(tasks), chat, assignment }, rows);
}

/** The machine of an assignment that is locked, or only to be read. */
export async function assemble(
  tx: Tx,
  now: Date,
  chat: ChatRow,
  assignment: AssignmentRow,
): Promise<Machine> {
  const [tasks, rows] = await Promise.all([
    loadRevisionTasks(tx, assignment.revisionId),
    listAssignmentTasks(tx, assignment.id),
  ]);
  return machineOf({ tx, now, tree: treeOf(tasks), chat, assignment }, rows);
}

/** A revision's tasks as the rules see them. */
export function treeOf(tasks: readonly WorkflowTaskRow[]): TaskTree {
  return buildTaskTree(tasks.map(toTaskNode));
}

/** The machine of rows that are there already. */
export function machineOf(parts: Omit<Machine, 'rows'>, rows: readonly AssignmentTaskRow[]): Machine {
  return { ...parts, rows: new Map(rows.map((row) => [row.taskId, row])) };
}

/** The row of a task. Every task of the tree has one from the assignment's beginning. */
export function rowOf(machine: Machine, task: TaskNode): AssignmentTaskRow {
  const row = machine.rows.get(task.id);
  if (row === undefined)
    throw new Error(`assignment ${machine.assignment.id} has no row for task ${task.id}`);
  return row;
}

/** The task the assignment stands in. */
export function currentTask(machine: Machine): TaskNode {
  for (const row of machine.rows.values()) {
    if (row.id !== machine.assignment.currentTaskId) continue;
    const task = machine.tree.byId.get(row.taskId);
    if (task !== undefined) return task;
  }
  return machine.tree.root;
}

/** How far it came in each task, as the pure rules want it. */
export function taskStates(machine: Machine): TaskStates {
  return new Map(
    [...machine.rows.values()].map((row) => [
      row.taskId,
      { assignmentTaskId: row.id, visitedAt: row.visitedAt, completedAt: row.completedAt },
    ]),
  );
}
