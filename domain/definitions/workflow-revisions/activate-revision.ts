import { updateWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { loadRevision, type RevisionWithTasks } from './get-revision.js';
import { requireRevision } from './require-revision.js';

/**
 * Makes a published revision the one that new chats and assignments use. Activating an older revision is a rollback.
 * Existing chats and assignments stay on their revision.
 */
export async function activateRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
): Promise<RevisionWithTasks> {
  context.actor.require('workflows:write');
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    const definition = await lockDefinitionForChange(tx, definitionId);
    const revision = await requireRevision(tx, definitionId, revisionId);
    if (revision.publishedAt === null) {
      throw new Conflict('revision_not_published', 'Only a published revision can be activated.');
    }
    if (definition.activeRevisionId !== revisionId) {
      await updateWorkflowDefinition(tx, definitionId, {
        activeRevisionId: revisionId,
        updatedAt: context.clock.now(),
      });
    }
    return loadRevision(tx, definitionId, revisionId);
  });
}
