import { type AssignmentTaskRow, selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import {
  type AssignmentRow,
  findAssignment,
  lockAssignment,
  lockChatOfAssignment,
} from '../../../db/assignments/assignments.js';
import { type ChatRow, raiseChatVersion } from '../../../db/conversations/chats.js';
import { isDefinitionHeld } from '../../../db/definitions/effective-hold.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import type { Tx } from '../../../db/tx.js';
import { buildTaskTree } from '../../definitions/task-tree/tree.js';
import type { TaskNode, TaskTree } from '../../definitions/task-tree/types.js';
import type { Outreach } from '../../kernel/outreach.js';

/** An assignment with all the rows that its rules need, in one transaction. Writers keep the rows up to date. */
export interface Machine {
  readonly tx: Tx;
  readonly now: Date;
  readonly tree: TaskTree;
  /** The definition is held: nothing happens by itself. */
  isHeld: boolean;
  /** The run of the assignment is told of an end by this step, or has closed: it needs no poke. */
  readonly ofRun: boolean;
  assignment: AssignmentRow;
  /** Changed by `changeChat` alone. */
  readonly chat: ChatRow;
  /** `assignment_tasks` rows by workflow task id. */
  readonly rows: Map<number, AssignmentTaskRow>;
}

/** A machine that may enter tasks, and reaches the member by what it was given. */
export interface EnteringMachine extends Machine {
  readonly outreach: Outreach;
}

/**
 * Takes the row locks that a change needs, always in this order: the chat, then the assignment.
 * @param ofRun whether the assignment's run takes this step; whatever ends the assignment otherwise pokes the run
 */
export async function lockMachine(
  tx: Tx,
  assignmentId: number,
  now: Date,
  ofRun = false,
): Promise<Machine | undefined> {
  const [found, chat] = await Promise.all([
    findAssignment(tx, assignmentId),
    lockChatOfAssignment(tx, assignmentId),
  ]);
  if (found === undefined || chat === undefined) return undefined;
  // Every writer of these rows holds the chat's lock, so the rest can be read in parallel.
  const [assignment, tasks, rows, isHeld] = await Promise.all([
    lockAssignment(tx, assignmentId),
    loadRevisionTasks(tx, found.revisionId),
    selectAssignmentTasks(tx, assignmentId),
    isDefinitionHeld(tx, found.definitionId),
  ]);
  const tree = buildTaskTree(tasks);
  return assignment && machineOf({ tx, now, tree, isHeld, ofRun, chat, assignment }, rows);
}

/** `lockMachine` for a step that may enter tasks. */
export async function lockEnteringMachine(
  tx: Tx,
  assignmentId: number,
  { outreach, now, ofRun }: { outreach: Outreach; now: Date; ofRun: boolean },
): Promise<EnteringMachine | undefined> {
  const machine = await lockMachine(tx, assignmentId, now, ofRun);
  return machine && Object.assign(machine, { outreach });
}

/** Changes the chat of a machine, whose row lock it holds. */
export async function changeChat(
  machine: Machine,
  change: (tx: Tx, chat: ChatRow, now: Date) => Promise<ChatRow>,
): Promise<void> {
  const { tx, chat, now } = machine;
  (machine as { chat: ChatRow }).chat = await change(tx, chat, now);
}

/** Makes a turn of the agent due, unless one is in progress, which notices by itself what it brings about. */
export async function requestTurn(machine: Machine, { inTurn }: { inTurn: boolean }): Promise<void> {
  if (!inTurn) await changeChat(machine, (tx, chat) => raiseChatVersion(tx, chat.id));
}

/** Builds the machine of an assignment that is locked, or that is only read. */
export async function assemble(tx: Tx, now: Date, chat: ChatRow, assignment: AssignmentRow) {
  const { id, definitionId, revisionId } = assignment;
  const [tasks, rows, isHeld] = await Promise.all([
    loadRevisionTasks(tx, revisionId),
    selectAssignmentTasks(tx, id),
    isDefinitionHeld(tx, definitionId),
  ]);
  return machineOf({ tx, now, tree: buildTaskTree(tasks), isHeld, ofRun: false, chat, assignment }, rows);
}

export function machineOf(parts: Omit<Machine, 'rows'>, rows: readonly AssignmentTaskRow[]): Machine {
  return { ...parts, rows: new Map(rows.map((row) => [row.taskId, row])) };
}

/** The row of a task; creating an assignment inserts one for every task of the tree. */
export function rowOf(machine: Machine, task: TaskNode): AssignmentTaskRow {
  const row = machine.rows.get(task.id);
  if (row) return row;
  throw new Error(`assignment ${machine.assignment.id} has no row for task ${task.id}`);
}

export function currentTask(machine: Machine): TaskNode {
  const { assignment, rows, tree } = machine;
  const row = [...rows.values()].find(({ id }) => id === assignment.currentTaskId);
  return (row && tree.byId.get(row.taskId)) ?? tree.root;
}
