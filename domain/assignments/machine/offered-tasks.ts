import { eligibleChildren, mayEnter } from '../../definitions/task-tree/may-enter.js';
import { missingRequired } from '../../definitions/task-tree/next-after-completion.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import type { CelContext } from '../../lib/cel.js';
import { currentTask, type Machine, rowOf, taskStates } from './machine.js';

interface OfferedTasks {
  /** Children of the current task that may be entered, in order. */
  children: TaskNode[];
  /** Required tasks that were skipped; empty until the current task is complete. */
  remaining: TaskNode[];
}

/** The tasks among which the agent chooses. */
export function offeredTasks(machine: Machine, context: CelContext): OfferedTasks {
  const task = currentTask(machine);
  return {
    children: eligibleChildren(machine.tree, task, context),
    remaining: remainingTasks(machine, task, context),
  };
}

/**
 * The tasks that a member without `assignments:write` may select: those that the agent may choose. A handoff offers none
 * until a colleague returns the chat to the agent.
 */
export function selectableByMember(machine: Machine, context: CelContext): TaskNode[] {
  const task = currentTask(machine);
  if (task.taskType === 'handoff' && rowOf(machine, task).completedAt === null) return [];
  const { children, remaining } = offeredTasks(machine, context);
  return [...children, ...remaining];
}

function remainingTasks(machine: Machine, task: TaskNode, context: CelContext): TaskNode[] {
  if (rowOf(machine, task).completedAt === null) return [];
  return missingRequired(machine.tree, taskStates(machine)).filter(
    (missing) => missing.parentId !== task.id && mayEnter(machine.tree, missing.uuid, {}, context).allowed,
  );
}
