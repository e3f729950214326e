import { type DataTypeRow, dataTypesBySlug } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { inspectExpression } from '../../lib/cel.js';
import { Conflict } from '../../lib/errors.js';
import { expressionsOfTask } from '../revision-rules/expressions-of-task.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { walkTasks } from '../revision-rules/walk-tasks.js';
import { requireWorkflowDefinition } from '../workflow-definitions/require-definition.js';
import { completeTask } from '../workflow-revisions/task-tree.js';
import { loadRevision } from '../workflow-revisions/workflow-revisions.js';
import type { WorkflowFile } from './workflow-file.js';

/** Writes a revision as a file. @throws Forbidden, NotFound, Conflict `revision_empty` */
export async function exportWorkflow(
  { actor, db }: CommandContext,
  definitionId: number,
  revisionId: number,
): Promise<WorkflowFile> {
  actor.require('workflows:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { rootTask } = await loadRevision(tx, definitionId, revisionId);
    if (rootTask === null) throw new Conflict('revision_empty', 'The revision has no tasks.');
    const { name, description } = await requireWorkflowDefinition(tx, definitionId);
    const tasks = completeTask(rootTask);
    const dataTypes = await dataTypesBySlug(tx, namedDataTypes(tasks));
    return {
      name,
      ...(description === null ? {} : { description }),
      dataTypes: dataTypes.map(valuesOf),
      rootTask: tasks,
    };
  });
}

/** The slugs of the data types that the tasks name in configurations, abilities and expressions. */
function namedDataTypes(rootTask: RevisionTask): string[] {
  const slugs = [...walkTasks([rootTask])].flatMap(({ task }) => [
    ...[task.configuration, ...(task.abilities ?? []).map(({ config }) => config)].map(
      (configuration) => configuration?.dataTypeSlug,
    ),
    ...expressionsOfTask(task).flatMap(({ text }) =>
      inspectExpression(text).dataTypes.map(({ dataTypeSlug }) => dataTypeSlug),
    ),
  ]);
  return [...new Set(slugs.filter((slug) => typeof slug === 'string'))];
}

function valuesOf({ name, slug, isCollection, fields }: DataTypeRow) {
  return { name, slug, isCollection, fields };
}
