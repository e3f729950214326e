import type { TaskNode, TaskTree } from './types.js';

/**
 * Builds the tree of the tasks of a revision. Saving and publishing have already checked its form.
 *
 * @throws Error if there is not exactly one root, or if a task is not connected to it
 */
export function buildTaskTree(tasks: readonly TaskNode[]): TaskTree {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const children = new Map<number, TaskNode[]>();
  const roots: TaskNode[] = [];
  for (const task of [...tasks].sort((a, b) => a.order - b.order || a.id - b.id)) {
    if (task.parentId === null) {
      roots.push(task);
      continue;
    }
    const siblings = children.get(task.parentId) ?? [];
    siblings.push(task);
    children.set(task.parentId, siblings);
  }
  const [root, another] = roots;
  if (!root || another) throw new Error(`A task tree has one root, not ${roots.length}`);
  const tree = { root, byId, byUuid: new Map(tasks.map((task) => [task.uuid, task])), children };
  const reached = countBelow(tree, root);
  if (reached !== tasks.length) throw new Error(`${tasks.length - reached} tasks do not hang from the root`);
  return tree;
}

function countBelow(tree: TaskTree, task: TaskNode): number {
  const children = tree.children.get(task.id) ?? [];
  return children.reduce((count, child) => count + countBelow(tree, child), 1);
}
