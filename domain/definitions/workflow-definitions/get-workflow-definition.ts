import type { WorkflowDefinitionRow } from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
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
