import { describe, expect, it } from 'vitest';
import { nextAfterCompletion } from '../../../../domain/definitions/task-tree/next-after-completion.js';
import { celContext } from '../../cel-context.js';
import { named, type Sketch, taskTree } from './tasks.js';

const never = 'member.id == 0';

function nextAfter(root: Sketch, name: string): string {
  const tree = taskTree(root);
  const next = nextAfterCompletion(tree, named(tree, name), celContext());
  return typeof next === 'string' ? next : next.name;
}

describe('nextAfterCompletion', () => {
  it('stays at the task without autoNext', () => {
    expect(nextAfter({ name: 'root', children: [{ name: 'a' }] }, 'root')).toBe('stay');
  });

  it('ends when no task is left', () => {
    expect(nextAfter({ name: 'root', autoNext: true }, 'root')).toBe('end');
    expect(nextAfter({ name: 'root', children: [{ name: 'a', autoNext: true }] }, 'a')).toBe('end');
  });

  it('goes to the first eligible child', () => {
    const root = {
      name: 'root',
      autoNext: true,
      children: [{ name: 'a', celCondition: never }, { name: 'b' }],
    };
    expect(nextAfter(root, 'root')).toBe('b');
  });

  it('goes to the next eligible sibling when no child is eligible', () => {
    const root = {
      name: 'root',
      children: [
        { name: 'a', autoNext: true, children: [{ name: 'a1', celGuard: never }] },
        { name: 'b', celGuard: never },
        { name: 'c', celCondition: never },
        { name: 'd' },
      ],
    };
    expect(nextAfter(root, 'a')).toBe('d');
  });

  it('goes to the parent’s next sibling, and further up', () => {
    const root = {
      name: 'root',
      children: [
        { name: 'a', children: [{ name: 'a1', children: [{ name: 'a11', autoNext: true }] }] },
        { name: 'b', celGuard: never },
        { name: 'c' },
      ],
    };
    expect(nextAfter(root, 'a11')).toBe('c');
  });

  it('never goes back to an earlier sibling', () => {
    const root = { name: 'root', children: [{ name: 'a' }, { name: 'b', autoNext: true }] };
    expect(nextAfter(root, 'b')).toBe('end');
  });

  const deciding: Sketch = {
    name: 'root',
    children: [
      {
        name: 'which',
        taskType: 'decision',
        children: [
          { name: 'unfit', celCondition: never },
          { name: 'fit', celCondition: 'member.id == 7', autoNext: true },
          { name: 'else' },
        ],
      },
      { name: 'after' },
    ],
  };

  it('goes to the first eligible child of a decision, with or without autoNext', () => {
    expect(nextAfter(deciding, 'which')).toBe('fit');
  });

  it('skips the alternatives that a decision did not take', () => {
    expect(nextAfter(deciding, 'fit')).toBe('after');
  });

  it('skips a decision without an eligible child', () => {
    const root: Sketch = {
      name: 'root',
      children: [
        { name: 'which', taskType: 'decision', children: [{ name: 'unfit', celCondition: never }] },
        { name: 'after' },
      ],
    };
    expect(nextAfter(root, 'which')).toBe('after');
  });
});
