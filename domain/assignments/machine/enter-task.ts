import { markTaskEntered, patchAssignmentTask } from '../../../db/assignments/assignment-tasks.js';
import { patchAssignment } from '../../../db/assignments/assignments.js';
import { countEntries } from '../../../db/assignments/timeline-entries.js';
import {
  eligibleChildren,
  mayEnter,
  missingRequired,
  nextAfterCompletion,
  type PassedBy,
} from '../../definitions/task-tree/transitions.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { taskEnteredEvent } from '../../kernel/events/assignment-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { type CelContext, isOverBudget } from '../../lib/cel.js';
import { causeOf, notBegun, note, ofTask, timerLeft } from '../timeline/note.js';
import { celContextOf } from './cel-context.js';
import { conclude } from './conclude.js';
import type { Effect, Entering } from './effect.js';
import { entryOf } from './entry.js';
import { leaveTask } from './leave-task.js';
import { type EnteringMachine, type Machine, rowOf } from './machine.js';
import { perform } from './perform.js';

/** Task entries in a row without a person or a timer, after which the definition is assumed to loop. */
const maximumAutomaticSteps = 100;

/** Enters a task and follows automatic transitions. The caller has checked that the task may be entered. */
export async function enterTask(machine: EnteringMachine, task: TaskNode, entering: Entering): Promise<void> {
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

/** `enterTask` for a task whose entry has already been written. */
export async function goOnFrom(machine: EnteringMachine, task: TaskNode, entering: Entering): Promise<void> {
  const { effects, isComplete } = await entryOf(machine, task);
  await perform(machine, effects, { task, entering });
  if (!isComplete) return;
  await completeTask(machine, task, { by: 'automatic', inTurn: entering.inTurn });
}

/** Completes a task and enters the next one, if there is an automatic transition. */
export async function completeTask(
  machine: EnteringMachine,
  task: TaskNode,
  entering: Entering,
): Promise<void> {
  const { next, effects } = await markCompleted(machine, task, entering);
  await perform(machine, effects, { task, entering });
  if (next !== undefined) await enterTask(machine, next, { by: 'automatic', inTurn: entering.inTurn });
}

async function writeEntry(machine: Machine, task: TaskNode, entering: Entering, automaticSteps: number) {
  const { tx } = machine;
  const row = rowOf(machine, task);
  const { id } = row;
  const [{ enteredAfterMessageId, eventMark }, assignment] = await Promise.all([
    markTaskEntered(tx, id, { at: machine.now, chatId: machine.chat.id }),
    patchAssignment(tx, machine.assignment.id, { currentTaskId: id, automaticSteps }),
    note(machine, ...timerLeft(machine), {
      kind: 'entered',
      assignmentTaskId: id,
      fromAssignmentTaskId: machine.assignment.currentTaskId,
      requestUuid: entering.requestUuid,
      ...causeOf(entering),
    }),
  ]);
  const cleared = { completedAt: null, dueAt: null, messageId: null, endedBy: null };
  const entered = { ...cleared, visitedAt: machine.now, enteredAfterMessageId, eventMark };
  machine.rows.set(task.id, { ...row, ...entered });
  machine.assignment = assignment;
  const told = taskEnteredEvent(assignment, task, { assignmentTaskId: id, causedBy: entering.by });
  await writeEvents(tx, [told], machine.now);
  await leaveTask(machine);
}

/** @returns the next task, if it is entered automatically, and what has to happen before */
async function markCompleted(
  machine: Machine,
  task: TaskNode,
  entering: Entering,
): Promise<{ next?: TaskNode; effects: Effect[] }> {
  const before = rowOf(machine, task);
  const completed = { completedAt: machine.now, dueAt: null };
  machine.rows.set(task.id, { ...before, ...completed });
  const context = await celContextOf(machine);
  const passed: PassedBy[] = [];
  const next =
    (await taskToRepeat(machine, task, context)) ?? nextAfterCompletion(machine.tree, task, context, passed);
  const isFailed = isOverBudget(context);
  // A decision is complete once it has a way on: until then it is tried again at each step.
  if (next === 'undecided') {
    machine.rows.set(task.id, before);
    return { effects: [] };
  }
  machine.rows.set(task.id, await patchAssignmentTask(machine.tx, before.id, completed));
  const isChoice = next === 'stay' && !isFailed && agentChoosesAfter.has(task.taskType);
  const choices = isChoice ? eligibleChildren(machine.tree, task, context, passed) : [];
  await note(
    machine,
    {
      kind: 'completed',
      ...ofTask(machine, task),
      ...causeOf(entering),
      reason: rowOf(machine, task).endedBy,
    },
    ...notBegun(machine, passed),
  );
  // The conditions could not be evaluated, so a person selects the next task.
  if (isFailed) return { effects: [{ kind: 'alert', reason: 'expression_failed' }] };
  if (next === 'stay') return { effects: choices.length > 0 ? [{ kind: 'turn' }] : [] };
  if (next !== 'end') return { next, effects: [] };
  // The assignment is complete, unless required tasks were skipped, which the agent's prompt names.
  const isComplete = missingRequired(machine.tree, machine.rows).length === 0;
  return { effects: [isComplete ? { kind: 'conclude' } : { kind: 'turn' }] };
}

/**
 * The task to which a decision goes back; undefined if it has none, has gone back as often as it may, or may not enter the
 * task.
 */
async function taskToRepeat(
  machine: Machine,
  decision: TaskNode,
  context: CelContext,
): Promise<TaskNode | undefined> {
  const { repeat, atMost } = decision.configuration as { repeat?: string; atMost?: number };
  if (decision.taskType !== 'decision' || repeat === undefined) return undefined;
  const { tx, tree } = machine;
  const target = [...tree.byId.values()].find(({ name }) => name === repeat);
  if (target === undefined) return undefined;
  if ((await countEntries(tx, machine.assignment.id, rowOf(machine, decision).id)) > (atMost ?? 0))
    return undefined;
  const entry = mayEnter(tree, target.uuid, {}, context);
  return entry.allowed ? entry.task : undefined;
}

/** These tasks do not wait for the member, so the agent chooses among the children, if there are any. */
export const agentChoosesAfter = new Set<TaskNode['taskType']>(['collect', 'wait', 'call']);
