import type { FieldError } from '../../lib/errors.js';
import type { RevisionTask } from './types.js';

export interface Visit {
  task: RevisionTask;
  /** JSON pointer of the task in the request: `/tasks/0/children/1`. */
  pointer: string;
  /** Ancestors, the root first. */
  ancestors: readonly RevisionTask[];
}

/** An error of a task, named for the request. */
export function ofTask({ task, pointer }: Pick<Visit, 'task' | 'pointer'>, error: FieldError): FieldError {
  return { pointer: pointer + error.pointer, message: `Task "${task.name}": ${error.message}` };
}

/** Yields every task with its pointer and ancestors, parents first. Does not descend below `maxDepth` levels. */
export function* walkTasks(
  tasks: readonly RevisionTask[],
  maxDepth = Number.POSITIVE_INFINITY,
  pointer = '/tasks',
  ancestors: readonly RevisionTask[] = [],
): Generator<Visit> {
  for (const [index, task] of tasks.entries()) {
    const visit = { task, pointer: `${pointer}/${index}`, ancestors };
    yield visit;
    if (ancestors.length + 1 < maxDepth) {
      yield* walkTasks(task.children ?? [], maxDepth, `${visit.pointer}/children`, [...ancestors, task]);
    }
  }
}
