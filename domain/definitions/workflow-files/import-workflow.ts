import type { WorkflowDefinitionRow } from '../../../db/definitions/workflow-definitions.js';
import { type DataTypeValues, dataTypesBySlug } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { createDataType } from '../../records/data-types/create-data-type.js';
import { createWorkflowDefinition } from '../workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../workflow-revisions/create-revision.js';
import type { RevisionWithTasks } from '../workflow-revisions/workflow-revisions.js';
import type { WorkflowFile } from './workflow-file.js';

export interface ImportedWorkflow {
  definition: WorkflowDefinitionRow;
  /** A draft. */
  revision: RevisionWithTasks;
  /** The slugs of the data types that did not exist. */
  createdDataTypes: string[];
}

/**
 * Creates a definition with a draft from a file, and the data types that the workspace lacks. All or nothing.
 * @throws Forbidden, InvalidInput, Conflict `too_many_data_types`
 */
export async function importWorkflow(context: CommandContext, file: WorkflowFile): Promise<ImportedWorkflow> {
  const { actor, db } = context;
  actor.require('workflows:write');
  return db.atomically(actor.workspaceId, async (within) => {
    const inside = { ...context, db: within };
    const createdDataTypes = await createMissing(inside, file.dataTypes ?? []);
    const description = file.description === undefined ? {} : { description: file.description };
    const definition = await createWorkflowDefinition(inside, { name: file.name, ...description });
    const revision = await createRevision(inside, definition.id, { rootTask: file.rootTask });
    return { definition, revision, createdDataTypes };
  });
}

/** An existing data type stays as it is. */
async function createMissing(
  context: CommandContext,
  dataTypes: readonly DataTypeValues[],
): Promise<string[]> {
  const slugs = dataTypes.map(({ slug }) => slug);
  const found = await context.db.inWorkspace(context.actor.workspaceId, (tx) => dataTypesBySlug(tx, slugs));
  const bySlug = new Map(found.map((dataType) => [dataType.slug, dataType]));
  const created: string[] = [];
  for (const [index, dataType] of dataTypes.entries()) {
    const existing = bySlug.get(dataType.slug);
    if (existing === undefined) {
      await createDataType(context, dataType).catch((error: unknown) => {
        throw error instanceof InvalidInput ? within(error, `/dataTypes/${index}`) : error;
      });
      created.push(dataType.slug);
    } else if (existing.isCollection !== dataType.isCollection) {
      const is = existing.isCollection ? 'a collection' : 'no collection';
      const message = `does not fit: the workspace has a data type ${dataType.slug}, which is ${is}`;
      throw InvalidInput.field(`/dataTypes/${index}/isCollection`, message);
    }
  }
  return created;
}

function within(error: InvalidInput, pointer: string): InvalidInput {
  return InvalidInput.fields(error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer })));
}
