import {
  patchWorkflowDefinition,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockDefinition, requireWorkflowDefinition } from './require-definition.js';

/**
 * Holds a definition: the active assignments of all its revisions rest until it is resumed. Holding a held one changes
 * nothing, not even the reason. @throws Forbidden, NotFound
 */
export async function holdWorkflowDefinition(
  context: CommandContext,
  definitionId: number,
  reason: string | null,
): Promise<WorkflowDefinitionRow> {
  context.actor.require('workflows:write');
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    const definition = await lockDefinition(tx, definitionId);
    if (definition.heldAt !== null) return definition;
    const now = context.clock.now();
    await patchWorkflowDefinition(tx, definitionId, { heldAt: now, heldReason: reason, updatedAt: now });
    return requireWorkflowDefinition(tx, definitionId);
  });
}
