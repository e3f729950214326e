import type { TaskNode, TaskTree } from './types.js';

/** @throws Error if there is not exactly one root, or if a task is not connected to it */
export function buildTaskTree(tasks: readonly TaskNode[]): TaskTree {
  const children = new Map<number, TaskNode[]>();
  const roots: TaskNode[] = [];
  for (const task of [...tasks].sort((a, b) => a.order - b.order || a.id - b.id)) {
    const siblings = task.parentId === null ? roots : (children.get(task.parentId) ?? []);
    siblings.push(task);
    if (task.parentId !== null) children.set(task.parentId, siblings);
  }
  const [root, another] = roots;
  if (!root || another) throw new Error(`A task tree has one root, not ${roots.length}`);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const byUuid = new Map(tasks.map((task) => [task.uuid, task]));
  const tree = { root, byId, byUuid, children };
  const reached = countBelow(tree, root);
  if (reached !== tasks.length) throw new Error(`${tasks.length - reached} tasks do not hang from the root`);
  return tree;
}

function countBelow(tree: TaskTree, task: TaskNode): number {
  return childrenOf(tree, task).reduce((count, child) => count + countBelow(tree, child), 1);
}

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
