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
 * An assignment with all the rows that its rules need, for the duration of one transaction. Writers keep the rows up to
 * date.
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

/**
 * Loads an assignment and takes the row locks that a change needs, always in this order: the chat, then the assignment.
 */
export async function lockMachine(tx: Tx, assignmentId: number, now: Date): Promise<Machine | undefined> {
  const [found, chat] = await Promise.all([
    findAssignment(tx, assignmentId),
    lockChatOfAssignment(tx, assignmentId),
  ]);
  if (found === undefined || chat === undefined) return undefined;
  // Every writer of these rows holds the chat's lock, so the rest can be read in parallel.
  const [assignment, tasks, rows] = await Promise.all([
    lockAssignment(tx, assignmentId),
    loadRevisionTasks(tx, found.revisionId),
    listAssignmentTasks(tx, assignmentId),
  ]);
  return assignment && machineOf({ tx, now, tree: treeOf(tasks), chat, assignment }, rows);
}

/** Builds the machine of an assignment that is locked, or that is only read. */
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

/** Converts the tasks of a revision to the tree that the rules use. */
export function treeOf(tasks: readonly WorkflowTaskRow[]): TaskTree {
  return buildTaskTree(tasks.map(toTaskNode));
}

/** Builds a machine from rows that have already been read. */
export function machineOf(parts: Omit<Machine, 'rows'>, rows: readonly AssignmentTaskRow[]): Machine {
  return { ...parts, rows: new Map(rows.map((row) => [row.taskId, row])) };
}

/** Returns the row of a task. Creating an assignment inserts a row for every task of the tree. */
export function rowOf(machine: Machine, task: TaskNode): AssignmentTaskRow {
  const row = machine.rows.get(task.id);
  if (row === undefined)
    throw new Error(`assignment ${machine.assignment.id} has no row for task ${task.id}`);
  return row;
}

/** Returns the assignment's current task. */
export function currentTask(machine: Machine): TaskNode {
  for (const row of machine.rows.values()) {
    if (row.id !== machine.assignment.currentTaskId) continue;
    const task = machine.tree.byId.get(row.taskId);
    if (task !== undefined) return task;
  }
  return machine.tree.root;
}

/** Returns the progress in each task, in the form that the pure rules use. */
export function taskStates(machine: Machine): TaskStates {
  return new Map(
    [...machine.rows.values()].map((row) => [
      row.taskId,
      { assignmentTaskId: row.id, visitedAt: row.visitedAt, completedAt: row.completedAt },
    ]),
  );
}
