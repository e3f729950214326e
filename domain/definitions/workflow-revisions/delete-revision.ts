import { removeDraftRevision } from '../../../db/definitions/workflow-revisions.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { requireRevision, revisionPublished } from './workflow-revisions.js';

/** Deletes a draft with its tasks. @throws Conflict `revision_published` */
export async function deleteRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
): Promise<void> {
  context.actor.require('workflows:write');
  await context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    await requireRevision(tx, definitionId, revisionId);
    if (!(await removeDraftRevision(tx, revisionId))) throw revisionPublished();
  });
}
