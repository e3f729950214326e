import type { Finding } from './findings.js';
import type { RevisionTask } from './types.js';

/** The tasks of each name. */
export function tasksByName(tasks: Iterable<RevisionTask>): Map<string, RevisionTask[]> {
  const byName = new Map<string, RevisionTask[]>();
  for (const task of tasks) {
    const same = byName.get(task.name);
    if (same === undefined) byName.set(task.name, [task]);
    else same.push(task);
  }
  return byName;
}

/** Warns of a name that an earlier task has; an expression that uses it is refused (`check-expressions.ts`). */
export function checkDuplicateName(
  task: RevisionTask,
  byName: ReadonlyMap<string, readonly RevisionTask[]>,
): Finding[] {
  const first = byName.get(task.name)?.[0];
  if (first === undefined || first === task) return [];
  const message = 'is the name of another task: expressions and lists go by names';
  return [{ code: 'duplicate_name', pointer: '/name', message }];
}
