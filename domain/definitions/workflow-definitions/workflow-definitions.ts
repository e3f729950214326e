import {
  selectWorkflowDefinitions,
  type WorkflowDefinitionFilter,
  type WorkflowDefinitionRow,
  type WorkflowDefinitionSort,
} from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireWorkflowDefinition } from './require-definition.js';

/** Returns archived definitions too, because assignments refer to them. @throws NotFound */
export async function getWorkflowDefinition(
  context: CommandContext,
  definitionId: number,
): Promise<WorkflowDefinitionRow> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
    requireWorkflowDefinition(tx, definitionId),
  );
}

export async function listWorkflowDefinitions(
  context: CommandContext,
  query: PageRequest<WorkflowDefinitionSort> & WorkflowDefinitionFilter,
): Promise<PageOf<WorkflowDefinitionRow>> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
    selectWorkflowDefinitions(tx, query, query),
  );
}
