import { describe, expect, it } from 'vitest';
import {
  ancestorsOf,
  buildTaskTree,
  childrenOf,
  laterSiblingsOf,
  parentOf,
} from '../../../../domain/definitions/task-tree/tree.js';
import { named, taskNodes, taskTree } from './tasks.js';

describe('buildTaskTree', () => {
  it('rejects no root, two roots and tasks that are not connected to the root', () => {
    const [root, child] = taskNodes({ name: 'root', children: [{ name: 'child' }] });
    if (!root || !child) throw new Error('two tasks expected');
    expect(() => buildTaskTree([])).toThrow('one root');
    expect(() => buildTaskTree([root, { ...child, parentId: null }])).toThrow('one root');
    expect(() => buildTaskTree([root, { ...child, parentId: child.id }])).toThrow('do not hang');
  });

  it('orders children by their order field, whatever the order of the rows', () => {
    const nodes = taskNodes({ name: 'root', children: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    const tree = buildTaskTree([...nodes].reverse());
    expect(childrenOf(tree, tree.root).map((task) => task.name)).toEqual(['a', 'b', 'c']);
  });
});

describe('the relatives of a task', () => {
  const tree = taskTree({
    name: 'root',
    children: [
      { name: 'a', children: [{ name: 'a1', children: [{ name: 'a11' }] }] },
      { name: 'b' },
      { name: 'c' },
    ],
  });

  it('include its ancestors, the root first', () => {
    expect(ancestorsOf(tree, named(tree, 'a11')).map((task) => task.name)).toEqual(['root', 'a', 'a1']);
    expect(ancestorsOf(tree, tree.root)).toEqual([]);
    expect(parentOf(tree, tree.root)).toBeNull();
  });

  it('include the siblings after it', () => {
    expect(laterSiblingsOf(tree, named(tree, 'a')).map((task) => task.name)).toEqual(['b', 'c']);
    expect(laterSiblingsOf(tree, named(tree, 'c'))).toEqual([]);
    expect(laterSiblingsOf(tree, tree.root)).toEqual([]);
  });
});
