import {
  listWorkflowDefinitions as listDefinitionRows,
  type WorkflowDefinitionFilter,
  type WorkflowDefinitionRow,
  type WorkflowDefinitionSort,
} from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listWorkflowDefinitions(
  context: CommandContext,
  query: PageRequest<WorkflowDefinitionSort> & WorkflowDefinitionFilter,
): Promise<PageOf<WorkflowDefinitionRow>> {
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) => listDefinitionRows(tx, query, query));
}
