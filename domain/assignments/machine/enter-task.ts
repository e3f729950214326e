import {
  type EnteredBy,
  insertVisit,
  markTaskEntered,
  updateAssignmentTask,
} from '../../../db/assignments/assignment-tasks.js';
import { updateAssignment } from '../../../db/assignments/assignments.js';
import { eligibleChildren } from '../../definitions/task-tree/eligible-children.js';
import { missingRequired } from '../../definitions/task-tree/missing-required.js';
import { nextAfterCompletion } from '../../definitions/task-tree/next-after-completion.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { callPerson } from '../../kernel/call-person.js';
import { isOverBudget } from '../../lib/cel.js';
import { celContextOf } from './cel-context.js';
import { conclude } from './conclude.js';
import { callAgent, performEntry } from './entry.js';
import { type Machine, rowOf, taskStates } from './machine.js';

/** Steps in a row without a person or a timer, after which a definition is taken to run in circles. */
export const maximumAutomaticSteps = 100;

/** Who takes the assignment into a task. */
export interface Entering {
  by: EnteredBy;
  actorMemberId?: number;
  /** Asking twice enters once. */
  requestUuid?: string;
  /** The agent is in the middle of its turn: it needs no other to notice the task. */
  inTurn: boolean;
}

/**
 * Enters a task and follows what completes by itself from there (design section 6). Whether the task may be
 * entered has been checked. Each entry is written with its history row and with what the entry does.
 */
export async function enterTask(machine: Machine, task: TaskNode, entering: Entering): Promise<void> {
  if (machine.assignment.status !== 'active') return;
  const counted = entering.by === 'automatic' || entering.by === 'agent';
  const automaticSteps = counted ? machine.assignment.automaticSteps + 1 : 0;
  if (automaticSteps > maximumAutomaticSteps) {
    await conclude(machine, { status: 'failed', outcome: 'loop_detected' }, entering);
    return;
  }
  await writeEntry(machine, task, entering, automaticSteps);
  await goOnFrom(machine, task, entering);
}

/** `enterTask` for a task whose entry is written already. */
export async function goOnFrom(machine: Machine, task: TaskNode, entering: Entering): Promise<void> {
  if (await performEntry(machine, task, entering)) await completeTask(machine, task, entering);
}

/** A task is complete: goes on to the next if there is one to go to by itself. */
export async function completeTask(machine: Machine, task: TaskNode, entering: Entering): Promise<void> {
  const next = await markCompleted(machine, task, entering);
  if (next !== undefined) await enterTask(machine, next, { by: 'automatic', inTurn: entering.inTurn });
}

async function writeEntry(
  machine: Machine,
  task: TaskNode,
  entering: Entering,
  automaticSteps: number,
): Promise<void> {
  const { tx } = machine;
  const row = rowOf(machine, task);
  const { id } = row;
  const [{ enteredAfterMessageId }, assignment] = await Promise.all([
    markTaskEntered(tx, id, { at: machine.now, chatId: machine.chat.id }),
    updateAssignment(tx, machine.assignment.id, { currentTaskId: id, automaticSteps }),
    insertVisit(tx, {
      assignmentId: machine.assignment.id,
      assignmentTaskId: id,
      fromAssignmentTaskId: machine.assignment.currentTaskId,
      requestUuid: entering.requestUuid ?? null,
      enteredBy: entering.by,
      actorMemberId: entering.actorMemberId ?? null,
    }),
  ]);
  const entered = { visitedAt: machine.now, completedAt: null, dueAt: null, messageId: null };
  machine.rows.set(task.id, { ...row, ...entered, enteredAfterMessageId });
  machine.assignment = assignment;
}

async function markCompleted(
  machine: Machine,
  task: TaskNode,
  entering: Entering,
): Promise<TaskNode | undefined> {
  const row = await updateAssignmentTask(machine.tx, rowOf(machine, task).id, {
    completedAt: machine.now,
    dueAt: null,
  });
  machine.rows.set(task.id, row);
  const context = await celContextOf(machine);
  const next = nextAfterCompletion(machine.tree, task, context);
  if (isOverBudget(context)) {
    // Which conditions hold is not known: a person selects the next task.
    machine.chat = await callPerson(machine.tx, machine.chat, 'expression_failed');
    return undefined;
  }
  if (next === 'stay') {
    // Nobody waits for the member here: where there is a choice, it is the agent's.
    const choices = agentChoosesAfter.has(task.taskType) ? eligibleChildren(machine.tree, task, context) : [];
    if (choices.length > 0) await callAgent(machine, entering);
    return undefined;
  }
  if (next !== 'end') return next;
  // With nothing left it is done, unless required tasks were passed over: the agent is told which.
  if (missingRequired(machine.tree, taskStates(machine)).length === 0) {
    await conclude(machine, { status: 'completed' }, entering);
  } else {
    await callAgent(machine, entering);
  }
  return undefined;
}

const agentChoosesAfter = new Set<TaskNode['taskType']>(['collect', 'wait']);
