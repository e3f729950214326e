import type { Tx } from '../../../db/database.js';
import { loadRevisionTasks, type WorkflowTaskTree } from '../../../db/definitions/workflow-tasks.js';
import { type DataTypeRow, dataTypesBySlug } from '../../../db/records/data-types.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { checkPublishable } from '../revision-rules/check-publishable.js';
import { checkRevision } from '../revision-rules/check-revision.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { walkTasks } from '../revision-rules/walk-tasks.js';
import { completeTask, storedTaskTree } from './task-tree.js';

/** Checks the tasks and returns them in stored form. @throws InvalidInput with every reason why they cannot be saved */
export function checkedTasks(rootTask: RevisionTask): WorkflowTaskTree {
  const errors = checkRevision([rootTask]);
  if (errors.length > 0) throw InvalidInput.fields(inRootTask(errors));
  return completeTask(rootTask);
}

/** @throws InvalidInput `revision_not_publishable` with every reason */
export async function requirePublishable(tx: Tx, revisionId: number): Promise<void> {
  const root = storedTaskTree(await loadRevisionTasks(tx, revisionId));
  const tasks = root === null ? [] : [root];
  const errors = checkPublishable(tasks, await namedDataTypes(tx, tasks));
  if (errors.length > 0) throw InvalidInput.fields(inRootTask(errors), 'revision_not_publishable');
}

function namedDataTypes(tx: Tx, tasks: readonly RevisionTask[]): Promise<DataTypeRow[]> {
  const slugs = [...walkTasks(tasks)]
    .flatMap(({ task }) => [task.configuration, ...(task.abilities ?? []).map(({ config }) => config)])
    .map((configuration) => configuration?.dataTypeSlug)
    .filter((slug) => typeof slug === 'string');
  return dataTypesBySlug(tx, [...new Set(slugs)]);
}

/** Rewrites pointers: the rules check a list of root tasks, but a request has a single one, in `rootTask`. */
function inRootTask(errors: readonly FieldError[]): FieldError[] {
  return errors.map(({ pointer, message }) => ({
    pointer: pointer.replace(/^\/tasks(\/0)?(?=\/|$)/, '/rootTask'),
    message,
  }));
}
