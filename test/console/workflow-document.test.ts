import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../console/workflows/changes.js';
import {
  addTask,
  moveTask,
  placeAt,
  placesOf,
  removeTask,
  type Task,
} from '../../console/workflows/task-document.js';
import { otherSettings, withOtherSettings } from '../../console/workflows/task-fields.js';

const task = (uuid: string, children: readonly Task[] = [], fields: Partial<Task> = {}): Task => ({
  configuration: {},
  ...fields,
  uuid,
  name: uuid,
  taskType: 'message',
  children,
});
const root = task('root', [task('a', [task('a1')]), task('b')]);
const shape = ({ uuid, children }: Task): unknown =>
  children.length === 0 ? uuid : [uuid, ...children.map(shape)];

describe('the tree of a draft', () => {
  it('takes a task away, and another one in', () => {
    expect(shape(removeTask(root, 'a'))).toEqual(['root', 'b']);
    expect(shape(addTask(root, 'a', 'behind', task('c')))).toEqual(['root', ['a', 'a1'], 'c', 'b']);
    expect(shape(addTask(root, 'root', 'behind', task('c')))).toEqual(['root', ['a', 'a1'], 'b', 'c']);
  });

  it.each([
    ['b', 'up', ['root', 'b', ['a', 'a1']]],
    ['a', 'down', ['root', 'b', ['a', 'a1']]],
    ['b', 'in', ['root', ['a', 'a1', 'b']]],
    ['a1', 'out', ['root', 'a', 'a1', 'b']],
  ] as const)('moves %s %s', (uuid, move, expected) => {
    const moved = moveTask(root, uuid, move);
    expect(moved && shape(moved)).toEqual(expected);
  });

  it('moves nothing out of its bounds', () => {
    expect(moveTask(root, 'a', 'up')).toBeUndefined();
    expect(moveTask(root, 'b', 'down')).toBeUndefined();
    expect(moveTask(root, 'a', 'out')).toBeUndefined();
    expect(moveTask(root, 'root', 'down')).toBeUndefined();
  });

  it('finds the task that a pointer is in', () => {
    const at = placeAt(placesOf(root), '/rootTask/children/0/children/0/configuration/text');
    expect(at?.task.uuid).toBe('a1');
    expect(placeAt(placesOf(root), '/rootTask/children/1')?.task.uuid).toBe('b');
    expect(placeAt(placesOf(root), '/name')).toBeUndefined();
  });

  it('keeps what the form has no control for, until it is changed as JSON', () => {
    const abilities = [{ abilityType: 'handoff' }];
    const one = task('a', [], { abilities, configuration: { text: 'Hi', later: 1 } });
    expect(otherSettings(one)).toEqual({ abilities, configuration: { later: 1 } });
    expect(withOtherSettings(one, { name: 'not here', afterCall: 'stand' })).toEqual(
      task('a', [], { afterCall: 'stand', configuration: { text: 'Hi' } }),
    );
  });
});

it('two revisions differ by their tasks and fields, and by order', () => {
  const after = task('root', [task('b', [], { prompt: 'New' }), task('a'), task('c')]);
  const found = changesBetween(root, after).map(({ uuid, kind, isMoved, fields }) => ({
    uuid,
    kind,
    isMoved,
    fields,
  }));
  expect(found).toEqual([
    {
      uuid: 'b',
      kind: 'changed',
      isMoved: true,
      fields: [{ path: 'prompt', before: undefined, after: 'New' }],
    },
    { uuid: 'a', kind: 'changed', isMoved: true, fields: [] },
    { uuid: 'c', kind: 'added', isMoved: false, fields: [] },
    { uuid: 'a1', kind: 'removed', isMoved: false, fields: [] },
  ]);
});
