import { describe, expect, it } from 'vitest';
import {
  eligibleChildren,
  mayEnter,
  missingRequired,
  nextAfterCompletion,
} from '../../../../domain/definitions/task-tree/transitions.js';
import { celContext } from '../../cel-context.js';
import { named, type Sketch, taskTree } from './tasks.js';

const never = 'member.id == 0';
const holds = 'member.id == 7';
const context = celContext();

describe('mayEnter', () => {
  const closed: Sketch = { name: 'a', celGuard: never, children: [{ name: 'a1' }] };
  const failing: Sketch = { name: 'a', celGuard: 'member.form_data.missing.age > 1' };

  it.each<[string, Sketch[], string, { rule: string; taskUuid: string }]>([
    ['that is not in the tree', [], 'elsewhere', { rule: 'not_in_tree', taskUuid: 'uuid-elsewhere' }],
    ['whose own guard does not hold', [closed], 'a', { rule: 'cel_guard', taskUuid: 'uuid-a' }],
    ['below one whose guard does not hold', [closed], 'a1', { rule: 'cel_guard', taskUuid: 'uuid-a' }],
    ['whose guard fails', [failing], 'a', { rule: 'cel_guard', taskUuid: 'uuid-a' }],
    [
      'whose condition as a child does not hold',
      [{ name: 'a', celCondition: never }],
      'a',
      { rule: 'cel_condition', taskUuid: 'uuid-a' },
    ],
  ])('refuses a task %s', (_title, children, name, refused) => {
    const tree = taskTree({ name: 'root', children });
    const entry = mayEnter(tree, `uuid-${name}`, { asChildOf: tree.root }, context);
    expect(entry).toMatchObject({ allowed: false, ...refused });
  });

  const tree = taskTree({
    name: 'root',
    children: [
      { name: 'a', celCondition: never },
      { name: 'b', celGuard: holds, celCondition: 'true' },
    ],
  });

  it('allows a task whose guards and condition hold', () => {
    const entry = mayEnter(tree, 'uuid-b', { asChildOf: tree.root }, context);
    expect(entry).toEqual({ allowed: true, task: named(tree, 'b') });
  });

  it('allows a task whose condition does not hold when it is not entered as a child', () => {
    expect(mayEnter(tree, 'uuid-a', { asChildOf: named(tree, 'b') }, context).allowed).toBe(true);
    expect(mayEnter(tree, 'uuid-a', {}, context).allowed).toBe(true);
  });
});

it('eligibleChildren returns the children whose guard and condition hold, in order', () => {
  const tree = taskTree({
    name: 'root',
    children: [
      { name: 'guarded', celGuard: never },
      { name: 'unfit', celCondition: never },
      { name: 'fit', celCondition: holds },
      { name: 'open' },
    ],
  });
  expect(eligibleChildren(tree, tree.root, context).map((task) => task.name)).toEqual(['fit', 'open']);
});

describe('nextAfterCompletion', () => {
  const nextAfter = (root: Sketch, name: string) => {
    const tree = taskTree(root);
    const next = nextAfterCompletion(tree, named(tree, name), context);
    return typeof next === 'string' ? next : next.name;
  };
  const root = (...children: Sketch[]): Sketch => ({ name: 'root', children });
  const steps = (...children: Sketch[]): Sketch => ({
    name: 'root',
    taskType: 'message',
    autoNext: true,
    children,
  });
  const answers: Sketch[] = [{ name: 'yes', autoNext: true }, { name: 'no' }];
  const which = (...children: Sketch[]): Sketch => ({ name: 'which', taskType: 'decision', children });
  const deciding = steps(
    which(
      { name: 'unfit', celCondition: never },
      { name: 'fit', celCondition: holds, autoNext: true },
      { name: 'else' },
    ),
    { name: 'after' },
  );

  it.each<[string, Sketch, string, string]>([
    ['stays at the task without autoNext', root({ name: 'a' }), 'root', 'stay'],
    ['ends when the root has no children', { name: 'root', autoNext: true }, 'root', 'end'],
    ['ends when no task is left', root({ name: 'a', autoNext: true }), 'a', 'end'],
    [
      'goes to the first eligible child',
      { ...root({ name: 'a', celCondition: never }, { name: 'b' }), autoNext: true },
      'root',
      'b',
    ],
    [
      'goes to the next eligible sibling when no child is eligible',
      steps(
        { name: 'a', autoNext: true, children: [{ name: 'a1', celGuard: never }] },
        { name: 'b', celGuard: never },
        { name: 'c', celCondition: never },
        { name: 'd' },
      ),
      'a',
      'd',
    ],
    [
      'goes to the parent’s next sibling, and further up',
      steps(
        { name: 'a', children: [{ name: 'a1', children: [{ name: 'a11', autoNext: true }] }] },
        { name: 'b', celGuard: never },
        { name: 'c' },
      ),
      'a11',
      'c',
    ],
    [
      'never goes back to an earlier sibling',
      steps({ name: 'a' }, { name: 'b', autoNext: true }),
      'b',
      'end',
    ],
    ['goes to the first eligible child of a decision without autoNext', deciding, 'which', 'fit'],
    ['skips the alternatives that a decision did not take', deciding, 'fit', 'after'],
    [
      'is undecided at a decision without an eligible child',
      root(which({ name: 'unfit', celCondition: never }), { name: 'after' }),
      'which',
      'undecided',
    ],
    [
      'goes on behind such a decision if its author says so',
      steps(
        { ...which({ name: 'unfit', celCondition: never }), configuration: { otherwise: 'next' } },
        { name: 'after' },
      ),
      'which',
      'after',
    ],
    ...(['conversation', 'call'] as const).map((taskType): [string, Sketch, string, string] => [
      `skips the children that the agent did not choose in a ${taskType}`,
      steps({ name: 'ask', taskType, autoNext: true, children: answers }, { name: 'after' }),
      'yes',
      'after',
    ]),
    ...(['message', 'collect', 'wait', 'handoff'] as const).flatMap(
      (taskType): [string, Sketch, string, string][] => [
        [
          `skips the children that the agent did not choose after a ${taskType} without autoNext`,
          steps({ name: 'ask', taskType, children: answers }, { name: 'after' }),
          'yes',
          'after',
        ],
        [
          `takes the children of a ${taskType} with autoNext one after the other`,
          steps({ name: 'ask', taskType, autoNext: true, children: answers }, { name: 'after' }),
          'yes',
          'no',
        ],
      ],
    ),
    [
      'goes on behind the outer group from the last task of a chosen branch within another',
      root(
        {
          name: 'yes',
          taskType: 'message',
          autoNext: true,
          children: [{ name: 'more', children: [{ name: 'yes yes', autoNext: true }, { name: 'yes no' }] }],
        },
        { name: 'no' },
      ),
      'yes yes',
      'end',
    ],
  ])('%s', (_title, tree, name, next) => {
    expect(nextAfter(tree, name)).toBe(next);
  });
});

it('missingRequired returns required tasks that were not visited, with or without a row', () => {
  const tree = taskTree({
    name: 'root',
    required: true,
    children: [{ name: 'a', required: true }, { name: 'b', required: true }, { name: 'c' }],
  });
  const progress = new Map([
    [1, { visitedAt: new Date() }],
    [2, { visitedAt: null }],
  ]);
  expect(missingRequired(tree, progress).map((task) => task.name)).toEqual(['a', 'b']);
});
