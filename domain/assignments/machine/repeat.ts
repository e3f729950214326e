import { countEntries } from '../../../db/assignments/timeline-entries.js';
import { mayEnter } from '../../definitions/task-tree/transitions.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import type { CelContext } from '../../lib/cel.js';
import { type Machine, rowOf } from './machine.js';

/**
 * The task to which a decision goes back; undefined if it has none, has gone back as often as it may, or may not enter the
 * task.
 */
export async function taskToRepeat(
  machine: Machine,
  decision: TaskNode,
  context: CelContext,
): Promise<TaskNode | undefined> {
  const { repeat, atMost } = decision.configuration as { repeat?: string; atMost?: number };
  if (decision.taskType !== 'decision' || repeat === undefined) return undefined;
  const { tx, tree } = machine;
  const target = [...tree.byId.values()].find(({ name }) => name === repeat);
  if (target === undefined) return undefined;
  if ((await countEntries(tx, machine.assignment.id, rowOf(machine, decision).id)) > (atMost ?? 0))
    return undefined;
  const entry = mayEnter(tree, target.uuid, {}, context);
  return entry.allowed ? entry.task : undefined;
}
