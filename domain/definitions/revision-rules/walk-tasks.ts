import type { FieldError } from '../../lib/errors.js';
import { unescapePointer } from '../../lib/json-schema.js';
import type { RevisionTask } from './types.js';

export interface Visit {
  task: RevisionTask;
  /** JSON pointer of the task in the request: `/tasks/0/children/1`. */
  pointer: string;
  /** Ancestors, the root first. */
  ancestors: readonly RevisionTask[];
}

/** An error of a task, named for the request. A message that begins with a verb gets its field as the subject. */
export function ofTask({ task, pointer }: Pick<Visit, 'task' | 'pointer'>, error: FieldError): FieldError {
  const field = fieldOf(error.pointer);
  const lacksSubject = field !== '' && /^(?:is|must|names|compares)\b/.test(error.message);
  const sentence = lacksSubject ? `${field} ${error.message}` : error.message;
  return { pointer: pointer + error.pointer, message: `Task "${task.name}": ${sentence}` };
}

const maxFieldLength = 100;

/** Writes a JSON pointer within a task as authors write fields: `configuration.fieldSlugs[1]`. */
export function fieldOf(pointer: string): string {
  const tokens = pointer.split('/').slice(1).map(unescapePointer);
  const field = tokens.map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${token}`)).join('');
  return field.replace(/^\./, '').slice(0, maxFieldLength);
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
