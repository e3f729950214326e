import type { TaskNode, TaskStates, TaskTree } from './types.js';

/** The required tasks that were never visited, which keep an assignment from being completed. */
export function missingRequired(tree: TaskTree, states: TaskStates): TaskNode[] {
  return [...tree.byId.values()].filter(
    (task) => task.required && (states.get(task.id)?.visitedAt ?? null) === null,
  );
}
