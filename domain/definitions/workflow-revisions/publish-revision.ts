import { patchWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { patchDraftRevision } from '../../../db/definitions/workflow-revisions.js';
import type { CommandContext } from '../../kernel/context.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { requirePublishable } from './check-tasks.js';
import { loadRevision, type RevisionWithTasks, requireRevision } from './workflow-revisions.js';

/**
 * Freezes a draft and, by default, activates it. A published revision is returned unchanged, because a repeated request
 * must not undo an activation in between. @throws InvalidInput `revision_not_publishable` with every reason
 */
export async function publishRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
  input: { activate?: boolean } = {},
): Promise<RevisionWithTasks> {
  const { actor, clock, db } = context;
  actor.require('workflows:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    const revision = await requireRevision(tx, definitionId, revisionId);
    if (revision.publishedAt === null) {
      await requirePublishable(tx, revisionId);
      const now = clock.now();
      const published = { publishedAt: now, publishedByMemberId: actor.memberId, updatedAt: now };
      await patchDraftRevision(tx, revisionId, published);
      if (input.activate ?? true) {
        await patchWorkflowDefinition(tx, definitionId, { activeRevisionId: revisionId, updatedAt: now });
      }
    }
    return loadRevision(tx, definitionId, revisionId);
  });
}
