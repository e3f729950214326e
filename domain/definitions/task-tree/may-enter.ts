import { type CelContext, evaluate } from '../../lib/cel.js';
import { ancestorsOf } from './relatives.js';
import type { TaskNode, TaskTree } from './types.js';

export type Entry =
  | { allowed: true; task: TaskNode }
  | { allowed: false; rule: 'not_in_tree'; taskUuid: string; task: null; expression: null; reason: string }
  | {
      allowed: false;
      rule: 'cel_guard' | 'cel_condition';
      /** The task whose expression failed: the target or one of its ancestors. */
      taskUuid: string;
      task: TaskNode;
      expression: string;
      /** Why it does not hold; quotes no data. */
      reason: string;
    };

export interface EntryOptions {
  /** The task it would be entered from, or whose children are chosen among; counts when it is the parent. */
  asChildOf?: TaskNode | null;
}

/**
 * Whether a task may be entered, whoever asks (design section 6): it is in the tree, the guards of its ancestors
 * and its own hold, and, when it is taken as a child, so does its condition.
 */
export function mayEnter(
  tree: TaskTree,
  targetUuid: string,
  { asChildOf = null }: EntryOptions,
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
