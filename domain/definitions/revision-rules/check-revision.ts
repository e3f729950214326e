import { checkExpression, maxCost } from '../../lib/cel.js';
import type { FieldError } from '../../lib/errors.js';
import { checkTask } from './check-task.js';
import { expressionsOfTask } from './expressions-of-task.js';
import type { RevisionTask } from './types.js';
import { walkTasks } from './walk-tasks.js';

const maxTasks = 500;
const maxDepth = 20;
/** The maximum number of steps of all distinct expressions of a definition. */
const maxTreeCost = 5 * maxCost;

/** Every reason why a revision cannot be saved. A draft may be unfinished, but its content must be well formed. */
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
  return [...errors, ...checkTreeCost(tasks)];
}

/** Returns an error for the first expression at which the total cost of the definition exceeds the limit. */
function checkTreeCost(tasks: readonly RevisionTask[]): FieldError[] {
  const counted = new Set<string>();
  let cost = 0;
  for (const { task, pointer } of walkTasks(tasks, maxDepth)) {
    for (const expression of expressionsOfTask(task)) {
      if (counted.has(expression.text)) continue;
      counted.add(expression.text);
      const checked = checkExpression(expression.text);
      if (checked.ok) cost += checked.cost;
      if (cost <= maxTreeCost) continue;
      const message = `Task "${task.name}": the expressions of the definition could together take too long`;
      return [{ pointer: pointer + expression.pointer, message }];
    }
  }
  return [];
}
