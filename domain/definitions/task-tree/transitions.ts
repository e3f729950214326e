import { type CelContext, evaluateCondition } from '../../lib/cel.js';
import { goesOnOtherwise, takesOneChild } from './takes-one-child.js';
import { ancestorsOf, childrenOf, parentOf } from './tree.js';
import type { TaskNode, TaskTree } from './types.js';

export type Entry =
  | { allowed: true; task: TaskNode }
  | { allowed: false; rule: 'not_in_tree'; taskUuid: string; task: null }
  /** `task`: the one whose expression does not hold, the target or one of its ancestors. */
  | { allowed: false; rule: 'cel_guard' | 'cel_condition'; taskUuid: string; task: TaskNode };

/**
 * Checks whether a task may be entered, by any caller: the task is in the tree, its guard and those of its ancestors
 * hold, and so does its condition if `asChildOf`, the task from which it would be entered, is its parent.
 */
export function mayEnter(
  tree: TaskTree,
  targetUuid: string,
  { asChildOf = null }: { asChildOf?: TaskNode | null },
  context: CelContext,
): Entry {
  const target = tree.byUuid.get(targetUuid);
  if (!target) return { allowed: false, rule: 'not_in_tree', taskUuid: targetUuid, task: null };
  const fails = (expression: string | null) => expression !== null && !evaluateCondition(expression, context);
  const closed = [...ancestorsOf(tree, target), target].find((task) => fails(task.celGuard));
  if (closed) return { allowed: false, rule: 'cel_guard', taskUuid: closed.uuid, task: closed };
  if (asChildOf && target.parentId === asChildOf.id && fails(target.celCondition)) {
    return { allowed: false, rule: 'cel_condition', taskUuid: target.uuid, task: target };
  }
  return { allowed: true, task: target };
}

/** A task that may not be entered, and the task, it or one of its ancestors, whose expression does not hold. */
export interface PassedBy {
  task: TaskNode;
  rule: 'cel_guard' | 'cel_condition';
  of: TaskNode;
}

/** The children that may be entered now, in order: the agent's choices. Adds the others to `passed`. */
export function eligibleChildren(
  tree: TaskTree,
  task: TaskNode,
  context: CelContext,
  passed: PassedBy[] = [],
): TaskNode[] {
  return childrenOf(tree, task).filter((child) => mayCome(tree, child, task, context, passed));
}

function mayCome(
  tree: TaskTree,
  task: TaskNode,
  parent: TaskNode,
  context: CelContext,
  passed: PassedBy[],
): boolean {
  const entry = mayEnter(tree, task.uuid, { asChildOf: parent }, context);
  if (!entry.allowed && entry.task !== null) passed.push({ task, rule: entry.rule, of: entry.task });
  return entry.allowed;
}

/**
 * The next task after the current one completes. With autoNext, and after a decision, it is the first eligible child,
 * else the next eligible sibling, of the task or upward of an ancestor. Siblings of a child of which one is taken
 * (`takesOneChild`) are skipped. A decision is `undecided` while no child is eligible, unless its author has said what
 * happens otherwise. Adds the tasks that are passed by on the way to `passed`.
 */
export function nextAfterCompletion(
  tree: TaskTree,
  current: TaskNode,
  context: CelContext,
  passed: PassedBy[] = [],
): TaskNode | 'stay' | 'undecided' | 'end' {
  const decides = current.taskType === 'decision';
  if (!current.autoNext && !decides) return 'stay';
  const child = childrenOf(tree, current).find((one) => mayCome(tree, one, current, context, passed));
  if (child === undefined && decides && !goesOnOtherwise(current)) return 'undecided';
  return child ?? nextSibling(tree, current, context, passed) ?? 'end';
}

function nextSibling(
  tree: TaskTree,
  task: TaskNode,
  context: CelContext,
  passed: PassedBy[],
): TaskNode | null {
  const parent = parentOf(tree, task);
  if (!parent) return null;
  const siblings = childrenOf(tree, parent);
  const later = takesOneChild(parent) ? [] : siblings.slice(siblings.indexOf(task) + 1);
  const eligible = later.find((one) => mayCome(tree, one, parent, context, passed));
  return eligible ?? nextSibling(tree, parent, context, passed);
}

/** The required tasks that were never visited, which keep an assignment from being completed. */
export function missingRequired(
  tree: TaskTree,
  progress: ReadonlyMap<number, { visitedAt: Date | null }>,
): TaskNode[] {
  return [...tree.byId.values()].filter(({ id, required }) => required && !progress.get(id)?.visitedAt);
}
