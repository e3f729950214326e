import type { FieldError } from '../../lib/errors.js';
import { checkTask } from './check-task.js';
import { checkTreeCost } from './check-tree-cost.js';
import type { RevisionTask } from './types.js';
import { walkTasks } from './walk-tasks.js';

export const maxTasks = 500;
export const maxDepth = 20;

/**
 * Returns every reason why a revision cannot be saved, with pointers into the `tasks` of the request. A draft may be
 * unfinished (see `check-publishable.ts`), but its content must be well formed.
 */
export function checkRevision(tasks: readonly RevisionTask[]): FieldError[] {
  const errors: FieldError[] = [];
  const uuids = new Set<string>();
  let count = 0;

  if (tasks.length > 1) errors.push({ pointer: '/tasks/1', message: 'A revision has one root task' });
  for (const { task, pointer, ancestors } of walkTasks(tasks, maxDepth)) {
    count += 1;
    if (count > maxTasks) {
      return [...errors, { pointer: '/tasks', message: `A revision has at most ${maxTasks} tasks` }];
    }
    if (ancestors.length + 1 === maxDepth && (task.children?.length ?? 0) > 0) {
      errors.push({ pointer: `${pointer}/children`, message: `Tasks are at most ${maxDepth} levels deep` });
    }
    const uuid = task.uuid?.toLowerCase();
    if (uuid !== undefined && uuids.has(uuid)) {
      errors.push({ pointer: `${pointer}/uuid`, message: 'Another task has this uuid' });
    }
    if (uuid !== undefined) uuids.add(uuid);
    errors.push(...checkTask(task, pointer));
  }
  return [...errors, ...checkTreeCost(tasks, maxDepth)];
}
