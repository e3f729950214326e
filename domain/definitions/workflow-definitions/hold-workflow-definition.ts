import {
  patchWorkflowDefinition,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockDefinition, requireWorkflowDefinition } from './require-definition.js';

/**
 * Holds a definition: the active assignments of all its revisions rest until it is resumed. Holding a held one changes
 * the reason, if one is given, and nothing else. @throws Forbidden, NotFound
 */
export async function holdWorkflowDefinition(
  context: CommandContext,
  definitionId: number,
  reason: string | null,
): Promise<WorkflowDefinitionRow> {
  context.actor.require('workflows:write');
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    const definition = await lockDefinition(tx, definitionId);
    const isHeld = definition.heldAt !== null;
    if (isHeld && (reason === null || reason === definition.heldReason)) return definition;
    const now = context.clock.now();
    const held = { heldReason: reason, updatedAt: now };
    await patchWorkflowDefinition(tx, definitionId, isHeld ? held : { ...held, heldAt: now });
    return requireWorkflowDefinition(tx, definitionId);
  });
}
