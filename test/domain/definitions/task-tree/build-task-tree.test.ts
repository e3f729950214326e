import { expect, it } from 'vitest';
import {
  ancestorsOf,
  buildTaskTree,
  childrenOf,
  parentOf,
} from '../../../../domain/definitions/task-tree/tree.js';
import { named, type Sketch, taskNodes, taskTree } from './tasks.js';

it('buildTaskTree rejects no root, two roots and tasks that are not connected to the root', () => {
  const [root, child] = taskNodes({ name: 'root', children: [{ name: 'child' }] });
  if (!root || !child) throw new Error('two tasks expected');
  expect(() => buildTaskTree([])).toThrow('one root');
  expect(() => buildTaskTree([root, { ...child, parentId: null }])).toThrow('one root');
  expect(() => buildTaskTree([root, { ...child, parentId: child.id }])).toThrow('do not hang');
});

it('buildTaskTree orders children by their order field, whatever the order of the rows', () => {
  const nodes = taskNodes({ name: 'root', children: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
  const tree = buildTaskTree([...nodes].reverse());
  expect(childrenOf(tree, tree.root).map((task) => task.name)).toEqual(['a', 'b', 'c']);
});

it('ancestorsOf returns the ancestors of a task, the root first', () => {
  const a1: Sketch = { name: 'a1', children: [{ name: 'a11' }] };
  const tree = taskTree({ name: 'root', children: [{ name: 'a', children: [a1] }, { name: 'b' }] });
  expect(ancestorsOf(tree, named(tree, 'a11')).map((task) => task.name)).toEqual(['root', 'a', 'a1']);
  expect(ancestorsOf(tree, tree.root)).toEqual([]);
  expect(parentOf(tree, tree.root)).toBeNull();
});
