import type { AfterCall } from './task-types.js';
import { ancestorsOf } from './tree.js';
import type { TaskNode, TaskTree } from './types.js';

/** How a task goes on after a call: as it says itself, else the nearest task above that says so, else by text. */
export function afterCallOf(tree: TaskTree, task: TaskNode): AfterCall {
  const said = [...ancestorsOf(tree, task), task].findLast(({ afterCall }) => afterCall !== null);
  return said?.afterCall ?? 'text';
}
