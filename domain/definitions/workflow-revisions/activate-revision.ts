import { patchWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict } from '../../lib/errors.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { warningsOfPublished } from './check-tasks.js';
import { readImpact } from './impact.js';
import type { RevisionWithImpact } from './publish-revision.js';
import { loadRevision, requireRevision } from './workflow-revisions.js';

/** New chats and assignments use the active revision; existing ones stay on theirs. */
export async function activateRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
): Promise<RevisionWithImpact> {
  const { actor, clock, db } = context;
  actor.require('workflows:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const definition = await lockDefinitionForChange(tx, definitionId);
    const { publishedAt } = await requireRevision(tx, definitionId, revisionId);
    if (publishedAt === null) {
      throw new Conflict('revision_not_published', 'Only a published revision can be activated.');
    }
    const now = clock.now();
    if (definition.activeRevisionId !== revisionId) {
      recordAudit(tx, context, 'workflow:activated', { subject: ['workflow_revision', revisionId] });
      await patchWorkflowDefinition(tx, definitionId, { activeRevisionId: revisionId, updatedAt: now });
    }
    const revision = await loadRevision(tx, definitionId, revisionId);
    const warnings = await warningsOfPublished(tx, revisionId, now);
    return { ...revision, warnings, assignments: await readImpact(tx, revision, revision) };
  });
}
