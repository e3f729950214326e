import { lockWorkflowHold } from '../../../db/definitions/effective-hold.js';
import {
  patchWorkflowDefinition,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeWakingRun } from '../../kernel/runs.js';
import { lockDefinition, requireWorkflowDefinition } from './require-definition.js';

/**
 * Resumes a held definition: a run wakes the assignments that have met the hold. Resuming one that is not held changes
 * nothing. @throws Forbidden, NotFound
 */
export async function resumeWorkflowDefinition(
  context: CommandContext,
  definitionId: number,
): Promise<WorkflowDefinitionRow> {
  context.actor.require('workflows:write');
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    const definition = await lockDefinition(tx, definitionId);
    if (definition.heldAt === null) return definition;
    // Steps that have seen the hold note it before the run looks for their notes.
    await lockWorkflowHold(tx, definitionId);
    const resumed = { heldAt: null, heldReason: null, updatedAt: context.clock.now() };
    await patchWorkflowDefinition(tx, definitionId, resumed);
    await pokeWakingRun(tx, definition);
    return requireWorkflowDefinition(tx, definitionId);
  });
}
