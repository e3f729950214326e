import { patchWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockDefinition } from './require-definition.js';

/** Nothing new starts on an archived definition, while its assignments continue. Idempotent. */
export async function archiveWorkflowDefinition(
  context: CommandContext,
  definitionId: number,
): Promise<void> {
  context.actor.require('workflows:write');
  await context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    const definition = await lockDefinition(tx, definitionId);
    if (definition.archivedAt !== null) return;
    const now = context.clock.now();
    await patchWorkflowDefinition(tx, definitionId, { archivedAt: now, updatedAt: now });
  });
}
