import {
  eligibleChildren,
  mayEnter,
  missingRequired,
  type PassedBy,
} from '../../definitions/task-tree/transitions.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import type { CelContext } from '../../lib/cel.js';
import { currentTask, type Machine, rowOf } from './machine.js';

/**
 * The tasks among which the agent chooses: the children of the current task that may be entered, in order, and, once it
 * is complete, the required tasks that were skipped. Adds those that may not be entered to `passed`.
 */
export function offeredTasks(
  machine: Machine,
  context: CelContext,
  passed: PassedBy[] = [],
): { children: TaskNode[]; remaining: TaskNode[] } {
  const { tree, rows } = machine;
  const task = currentTask(machine);
  const skipped = rowOf(machine, task).completedAt === null ? [] : missingRequired(tree, rows);
  return {
    children: eligibleChildren(tree, task, context, passed),
    remaining: skipped.filter((one) => {
      if (one.parentId === task.id) return false;
      const entry = mayEnter(tree, one.uuid, {}, context);
      if (!entry.allowed && entry.task !== null) passed.push({ task: one, rule: entry.rule, of: entry.task });
      return entry.allowed;
    }),
  };
}

/**
 * The tasks that a member without `assignments:write` may select: those that the agent may choose. A handoff offers
 * none until a colleague returns the chat to the agent.
 */
export function selectableByMember(machine: Machine, context: CelContext): TaskNode[] {
  const task = currentTask(machine);
  if (task.taskType === 'handoff' && rowOf(machine, task).completedAt === null) return [];
  const { children, remaining } = offeredTasks(machine, context);
  return [...children, ...remaining];
}
