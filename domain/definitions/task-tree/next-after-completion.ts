import type { CelContext } from '../../lib/cel.js';
import { firstEligibleChild, mayEnter } from './may-enter.js';
import { laterSiblingsOf, parentOf } from './tree.js';
import type { TaskNode, TaskStates, TaskTree } from './types.js';

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
  return firstEligibleChild(tree, current, context) ?? nextSibling(tree, current, context) ?? 'end';
}

function nextSibling(tree: TaskTree, task: TaskNode, context: CelContext): TaskNode | null {
  const parent = parentOf(tree, task);
  if (!parent) return null;
  const siblings = parent.taskType === 'decision' ? [] : laterSiblingsOf(tree, task);
  const eligible = siblings.find(
    (sibling) => mayEnter(tree, sibling.uuid, { asChildOf: parent }, context).allowed,
  );
  return eligible ?? nextSibling(tree, parent, context);
}

/** The required tasks that were never visited, which keep an assignment from being completed. */
export function missingRequired(tree: TaskTree, states: TaskStates): TaskNode[] {
  return [...tree.byId.values()].filter(
    (task) => task.required && (states.get(task.id)?.visitedAt ?? null) === null,
  );
}
