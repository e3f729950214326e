import { checkExpression, maxCost } from '../../lib/cel.js';
import type { FieldError } from '../../lib/errors.js';
import { expressionsOfTask } from './expressions-of-task.js';
import type { RevisionTask } from './types.js';
import { walkTasks } from './walk-tasks.js';

/** The maximum number of steps of all distinct expressions of a definition. */
export const maxTreeCost = 5 * maxCost;

/** Returns an error for the first expression at which the total cost of the definition exceeds the limit. */
export function checkTreeCost(tasks: readonly RevisionTask[], maxDepth: number): FieldError[] {
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
