import { ancestorsOf } from './tree.js';
import type { TaskNode, TaskTree } from './types.js';

/** How the agent listens and speaks in calls in a task: each setting is that of the nearest task that has it. */
export function realtimeConfigOf(tree: TaskTree, task: TaskNode): Record<string, unknown> {
  const configs = [...ancestorsOf(tree, task), task].map(
    ({ realtimeModelConfig }) => realtimeModelConfig ?? {},
  );
  return Object.assign({}, ...configs);
}
