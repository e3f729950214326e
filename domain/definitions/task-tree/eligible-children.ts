import type { CelContext } from '../../lib/cel.js';
import { mayEnter } from './may-enter.js';
import { childrenOf } from './relatives.js';
import type { TaskNode, TaskTree } from './types.js';

/** The children that may be entered now, in order: the agent's choices. */
export function eligibleChildren(tree: TaskTree, task: TaskNode, context: CelContext): TaskNode[] {
  return childrenOf(tree, task).filter(
    (child) => mayEnter(tree, child.uuid, { asChildOf: task }, context).allowed,
  );
}

/** The child that a decision takes: the first one that may be entered. */
export function firstEligibleChild(tree: TaskTree, task: TaskNode, context: CelContext): TaskNode | null {
  return eligibleChildren(tree, task, context)[0] ?? null;
}
