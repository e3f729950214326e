import { type CelContext, evaluate } from '../../lib/cel.js';
import { ancestorsOf, childrenOf } from './tree.js';
import type { TaskNode, TaskTree } from './types.js';

type Entry =
  | { allowed: true; task: TaskNode }
  | { allowed: false; rule: 'not_in_tree'; taskUuid: string; task: null; expression: null; reason: string }
  | {
      allowed: false;
      rule: 'cel_guard' | 'cel_condition';
      /** The task whose expression failed: the target or one of its ancestors. */
      taskUuid: string;
      task: TaskNode;
      expression: string;
      /** Why the expression does not hold, without quoting data. */
      reason: string;
    };

/**
 * Checks whether a task may be entered, by any caller: the task is in the tree, its guard and those of its ancestors hold,
 * and so does its condition if `asChildOf`, the task from which it would be entered, is its parent.
 */
export function mayEnter(
  tree: TaskTree,
  targetUuid: string,
  { asChildOf = null }: { asChildOf?: TaskNode | null },
  context: CelContext,
): Entry {
  const target = tree.byUuid.get(targetUuid);
  if (!target) {
    return {
      allowed: false,
      rule: 'not_in_tree',
      taskUuid: targetUuid,
      task: null,
      expression: null,
      reason: 'The task is not in the tree of this assignment.',
    };
  }
  for (const task of [...ancestorsOf(tree, target), target]) {
    const refused = refusal(task, 'cel_guard', task.celGuard, context);
    if (refused) return refused;
  }
  if (asChildOf && target.parentId === asChildOf.id) {
    const refused = refusal(target, 'cel_condition', target.celCondition, context);
    if (refused) return refused;
  }
  return { allowed: true, task: target };
}

function refusal(
  task: TaskNode,
  rule: 'cel_guard' | 'cel_condition',
  expression: string | null,
  context: CelContext,
): Entry | null {
  if (expression === null) return null;
  const result = evaluate(expression, context);
  if (result.ok && result.value === true) return null;
  const reason = result.ok
    ? 'The expression is not true.'
    : `The expression failed: ${result.error.message}.`;
  return { allowed: false, rule, taskUuid: task.uuid, task, expression, reason };
}

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
