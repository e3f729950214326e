import { describe, expect, it } from 'vitest';
import {
  eligibleChildren,
  firstEligibleChild,
  mayEnter,
} from '../../../../domain/definitions/task-tree/may-enter.js';
import { celContext } from '../../cel-context.js';
import { named, taskTree } from './tasks.js';

const never = 'member.id == 0';
const failing = 'member.form_data.missing.age > 1';
const context = celContext();

describe('mayEnter', () => {
  it('refuses a task that is not in the tree', () => {
    const tree = taskTree({ name: 'root' });
    expect(mayEnter(tree, 'uuid-elsewhere', {}, context)).toMatchObject({
      allowed: false,
      rule: 'not_in_tree',
      taskUuid: 'uuid-elsewhere',
    });
  });

  it('refuses a task whose own guard does not hold, and names the expression', () => {
    const tree = taskTree({ name: 'root', children: [{ name: 'a', celGuard: never }] });
    expect(mayEnter(tree, 'uuid-a', {}, context)).toMatchObject({
      allowed: false,
      rule: 'cel_guard',
      taskUuid: 'uuid-a',
      expression: never,
    });
  });

  it('refuses a task below a task whose guard does not hold, and names that task', () => {
    const tree = taskTree({
      name: 'root',
      children: [{ name: 'a', celGuard: never, children: [{ name: 'a1' }] }],
    });
    expect(mayEnter(tree, 'uuid-a1', {}, context)).toMatchObject({ rule: 'cel_guard', taskUuid: 'uuid-a' });
  });

  it('refuses a task whose guard fails, and gives the reason without quoting data', () => {
    const tree = taskTree({ name: 'root', children: [{ name: 'a', celGuard: failing }] });
    expect(mayEnter(tree, 'uuid-a', {}, context)).toMatchObject({
      allowed: false,
      rule: 'cel_guard',
      reason: expect.stringContaining('no such key'),
    });
  });

  it('refuses a child whose condition does not hold', () => {
    const tree = taskTree({ name: 'root', children: [{ name: 'a', celCondition: never }] });
    expect(mayEnter(tree, 'uuid-a', { asChildOf: tree.root }, context)).toMatchObject({
      allowed: false,
      rule: 'cel_condition',
      taskUuid: 'uuid-a',
      expression: never,
    });
  });
});

describe('mayEnter with one guard that holds and one condition that does not', () => {
  const tree = taskTree({
    name: 'root',
    children: [
      { name: 'a', celCondition: never },
      { name: 'b', celGuard: 'member.id == 7', celCondition: 'true' },
    ],
  });

  it('allows a task whose guards and condition hold', () => {
    const entry = mayEnter(tree, 'uuid-b', { asChildOf: tree.root }, context);
    expect(entry).toEqual({ allowed: true, task: named(tree, 'b') });
  });

  it('allows a task whose condition does not hold when it is not entered as a child', () => {
    expect(mayEnter(tree, 'uuid-a', { asChildOf: named(tree, 'b') }, context)).toMatchObject({
      allowed: true,
    });
    expect(mayEnter(tree, 'uuid-a', {}, context)).toMatchObject({ allowed: true });
  });
});

describe('the eligible children of a task', () => {
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

  it('include the one that firstEligibleChild returns, if there is any', () => {
    expect(firstEligibleChild(tree, tree.root, context)?.name).toBe('fit');
    expect(firstEligibleChild(tree, named(tree, 'open'), context)).toBeNull();
  });
});
