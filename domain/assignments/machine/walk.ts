import type { AssignmentTaskRow } from '../../../db/assignments/assignment-tasks.js';
import { currentTask, type Machine } from './machine.js';

/** Every step of a run has these names in its result, so there are few of them. */
const maxNames = 8;

/** Names of the tasks that were visited last, each once, in the order of their latest visits; the current one last. */
export function walkOf(machine: Machine): string[] {
  const { tree, rows } = machine;
  const current = currentTask(machine);
  const visitedBefore = [...rows.values()]
    .filter((row): row is Visited => row.visitedAt !== null && row.taskId !== current.id)
    // Tasks that were entered together follow each other in the tree.
    .sort((one, other) => one.visitedAt.getTime() - other.visitedAt.getTime() || one.id - other.id)
    .flatMap(({ taskId }) => tree.byId.get(taskId)?.name ?? []);
  return [...visitedBefore, current.name].slice(-maxNames);
}

type Visited = AssignmentTaskRow & { visitedAt: Date };
