import type { TaskNode, TaskTree } from './types.js';

export function parentOf(tree: TaskTree, task: TaskNode): TaskNode | null {
  return task.parentId === null ? null : (tree.byId.get(task.parentId) ?? null);
}

/** The task's ancestors, the root first. */
export function ancestorsOf(tree: TaskTree, task: TaskNode): TaskNode[] {
  const ancestors: TaskNode[] = [];
  for (let parent = parentOf(tree, task); parent; parent = parentOf(tree, parent)) ancestors.unshift(parent);
  return ancestors;
}

/** The task's children in order. */
export function childrenOf(tree: TaskTree, task: TaskNode): readonly TaskNode[] {
  return tree.children.get(task.id) ?? [];
}

/** The siblings that come after the task, in order. */
export function laterSiblingsOf(tree: TaskTree, task: TaskNode): readonly TaskNode[] {
  const parent = parentOf(tree, task);
  if (!parent) return [];
  const siblings = childrenOf(tree, parent);
  return siblings.slice(siblings.findIndex((sibling) => sibling.id === task.id) + 1);
}
