import { type CelContext, evaluateCondition } from '../../lib/cel.js';
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

/** The children that may be entered now, in order: the agent's choices. */
export function eligibleChildren(tree: TaskTree, task: TaskNode, context: CelContext): TaskNode[] {
  return childrenOf(tree, task).filter(
    (child) => mayEnter(tree, child.uuid, { asChildOf: task }, context).allowed,
  );
}

/**
 * The next task after the current one completes. With autoNext, and after a decision, it is the first eligible child,
 * else the next eligible sibling, of the task or upward of an ancestor. The other children of a decision are skipped:
 * they are alternatives, not steps.
 */
export function nextAfterCompletion(
  tree: TaskTree,
  current: TaskNode,
  context: CelContext,
): TaskNode | 'stay' | 'end' {
  if (!current.autoNext && current.taskType !== 'decision') return 'stay';
  return eligibleChildren(tree, current, context)[0] ?? nextSibling(tree, current, context) ?? 'end';
}

function nextSibling(tree: TaskTree, task: TaskNode, context: CelContext): TaskNode | null {
  const parent = parentOf(tree, task);
  if (!parent) return null;
  const siblings = childrenOf(tree, parent);
  const later = parent.taskType === 'decision' ? [] : siblings.slice(siblings.indexOf(task) + 1);
  const eligible = later.find(({ uuid }) => mayEnter(tree, uuid, { asChildOf: parent }, context).allowed);
  return eligible ?? nextSibling(tree, parent, context);
}

/** The required tasks that were never visited, which keep an assignment from being completed. */
export function missingRequired(
  tree: TaskTree,
  progress: ReadonlyMap<number, { visitedAt: Date | null }>,
): TaskNode[] {
  return [...tree.byId.values()].filter(({ id, required }) => required && !progress.get(id)?.visitedAt);
}
