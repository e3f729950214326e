import { patchWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { loadRevision, type RevisionWithTasks, requireRevision } from './workflow-revisions.js';

/** New chats and assignments use the active revision; existing ones stay on theirs. */
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
      const updatedAt = context.clock.now();
      await patchWorkflowDefinition(tx, definitionId, { activeRevisionId: revisionId, updatedAt });
    }
    return loadRevision(tx, definitionId, revisionId);
  });
}
