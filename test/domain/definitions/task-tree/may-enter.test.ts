import { describe, expect, it } from 'vitest';
import {
  eligibleChildren,
  firstEligibleChild,
} from '../../../../domain/definitions/task-tree/eligible-children.js';
import { mayEnter } from '../../../../domain/definitions/task-tree/may-enter.js';
import { celContext } from '../../cel-context.js';
import { named, taskTree } from './tasks.js';

const never = 'member.id == 0';
const failing = 'member.form_data.missing.age > 1';
const context = celContext();

describe('mayEnter refuses', () => {
  it('a task that is not in the tree', () => {
    const tree = taskTree({ name: 'root' });
    expect(mayEnter(tree, 'uuid-elsewhere', {}, context)).toMatchObject({
      allowed: false,
      rule: 'not_in_tree',
      taskUuid: 'uuid-elsewhere',
    });
  });

  it('a task whose own guard does not hold, naming the expression', () => {
    const tree = taskTree({ name: 'root', children: [{ name: 'a', celGuard: never }] });
    expect(mayEnter(tree, 'uuid-a', {}, context)).toMatchObject({
      allowed: false,
      rule: 'cel_guard',
      taskUuid: 'uuid-a',
      expression: never,
    });
  });

  it('a task below one whose guard does not hold, naming that one', () => {
    const tree = taskTree({
      name: 'root',
      children: [{ name: 'a', celGuard: never, children: [{ name: 'a1' }] }],
    });
    expect(mayEnter(tree, 'uuid-a1', {}, context)).toMatchObject({ rule: 'cel_guard', taskUuid: 'uuid-a' });
  });

  it('a task whose guard fails, and says why without quoting data', () => {
    const tree = taskTree({ name: 'root', children: [{ name: 'a', celGuard: failing }] });
    expect(mayEnter(tree, 'uuid-a', {}, context)).toMatchObject({
      allowed: false,
      rule: 'cel_guard',
      reason: expect.stringContaining('no such key'),
    });
  });

  it('a child whose condition does not hold', () => {
    const tree = taskTree({ name: 'root', children: [{ name: 'a', celCondition: never }] });
    expect(mayEnter(tree, 'uuid-a', { asChildOf: tree.root }, context)).toMatchObject({
      allowed: false,
      rule: 'cel_condition',
      taskUuid: 'uuid-a',
      expression: never,
    });
  });
});

describe('mayEnter allows', () => {
  const tree = taskTree({
    name: 'root',
    children: [
      { name: 'a', celCondition: never },
      { name: 'b', celGuard: 'member.id == 7', celCondition: 'true' },
    ],
  });

  it('a task whose guards and condition hold', () => {
    const entry = mayEnter(tree, 'uuid-b', { asChildOf: tree.root }, context);
    expect(entry).toEqual({ allowed: true, task: named(tree, 'b') });
  });

  it('a task whose condition does not hold when it is not taken as a child', () => {
    expect(mayEnter(tree, 'uuid-a', { asChildOf: named(tree, 'b') }, context)).toMatchObject({
      allowed: true,
    });
    expect(mayEnter(tree, 'uuid-a', {}, context)).toMatchObject({ allowed: true });
  });
});

describe('eligible children', () => {
  const tree = taskTree({
    name: 'root',
    taskType: 'decision',
    children: [
      { name: 'guarded', celGuard: never },
      { name: 'unfit', celCondition: never },
      { name: 'fit', celCondition: 'member.id == 7' },
      { name: 'open' },
    ],
  });

  it('are those whose guard and condition hold, in order', () => {
    expect(eligibleChildren(tree, tree.root, context).map((task) => task.name)).toEqual(['fit', 'open']);
  });

  it('a decision takes the first, or none', () => {
    expect(firstEligibleChild(tree, tree.root, context)?.name).toBe('fit');
    expect(firstEligibleChild(tree, named(tree, 'open'), context)).toBeNull();
  });
});
