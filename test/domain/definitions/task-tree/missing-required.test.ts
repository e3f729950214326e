import { expect, it } from 'vitest';
import { missingRequired } from '../../../../domain/definitions/task-tree/next-after-completion.js';
import { taskTree } from './tasks.js';

it('missingRequired returns required tasks that were not visited, with or without a state', () => {
  const tree = taskTree({
    name: 'root',
    required: true,
    children: [{ name: 'a', required: true }, { name: 'b', required: true }, { name: 'c' }],
  });
  const visitedAt = new Date('2030-01-15T12:00:00Z');
  const states = new Map([
    [1, { assignmentTaskId: 11, visitedAt, completedAt: null }],
    [2, { assignmentTaskId: 12, visitedAt: null, completedAt: null }],
  ]);
  expect(missingRequired(tree, states).map((task) => task.name)).toEqual(['a', 'b']);
});
