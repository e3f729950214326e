import type { CelContext } from '../../lib/cel.js';
import { firstEligibleChild } from './eligible-children.js';
import { mayEnter } from './may-enter.js';
import { laterSiblingsOf, parentOf } from './relatives.js';
import type { TaskNode, TaskTree } from './types.js';

/**
 * Where an assignment goes when its current task completes (design section 6): with autoNext the first eligible
 * child, else the next eligible sibling, else the parent's next sibling, upward; `end` with nothing left.
 * Without autoNext it stays, and a person or the agent chooses.
 *
 * A decision has taken the one child whose condition held, so its other children are passed over: they are
 * alternatives, not steps. A decision itself goes on by itself, autoNext or not.
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
