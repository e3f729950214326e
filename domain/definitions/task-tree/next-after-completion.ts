import type { CelContext } from '../../lib/cel.js';
import { firstEligibleChild } from './eligible-children.js';
import { mayEnter } from './may-enter.js';
import { laterSiblingsOf, parentOf } from './relatives.js';
import type { TaskNode, TaskTree } from './types.js';

/**
 * The next task after the current task of an assignment completes (design section 6). With autoNext it is the first
 * eligible child, else the next eligible sibling, else the next eligible sibling of an ancestor, going upward; `end` if
 * there is none. Without autoNext the assignment stays, and a person or the agent chooses.
 *
 * The other children of a decision are skipped: they are alternatives, not steps. A decision itself always continues,
 * with or without autoNext.
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
