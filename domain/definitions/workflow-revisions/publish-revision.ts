import { patchWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { findActiveRevision, patchDraftRevision } from '../../../db/definitions/workflow-revisions.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import type { RevisionWarning } from '../revision-rules/findings.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { requirePublishable, warningsOfPublished } from './check-tasks.js';
import { type RevisionImpact, readImpact } from './impact.js';
import { loadRevision, type RevisionWithTasks, requireRevision } from './workflow-revisions.js';

/** A revision that was published or activated, or would be. */
export interface RevisionWithImpact extends RevisionWithTasks {
  /** What is probably wrong with it. */
  warnings: RevisionWarning[];
  assignments: RevisionImpact;
}

/**
 * Freezes a draft and, by default, activates it; with `dryRun`, only tells what that would mean. A published revision is
 * returned unchanged, because a repeated request must not undo an activation in between.
 * @throws InvalidInput `revision_not_publishable` with every reason
 */
export async function publishRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
  { activate = true, dryRun = false }: { activate?: boolean; dryRun?: boolean } = {},
): Promise<RevisionWithImpact> {
  const { actor, clock, db } = context;
  actor.require('workflows:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    const { publishedAt, ...draft } = await requireRevision(tx, definitionId, revisionId);
    const now = clock.now();
    const isPublished = publishedAt !== null;
    const check = isPublished ? warningsOfPublished : requirePublishable;
    const warnings = await check(tx, revisionId, now);
    if (!isPublished && !dryRun) {
      const published = { publishedAt: now, publishedByMemberId: actor.memberId, updatedAt: now };
      await patchDraftRevision(tx, revisionId, published);
      recordAudit(tx, context, 'workflow:published', { subject: ['workflow_revision', revisionId] });
      if (activate) {
        await patchWorkflowDefinition(tx, definitionId, { activeRevisionId: revisionId, updatedAt: now });
      }
    }
    const active = activate && !isPublished ? draft : await findActiveRevision(tx, definitionId);
    const revision = await loadRevision(tx, definitionId, revisionId);
    return { ...revision, warnings, assignments: await readImpact(tx, revision, active) };
  });
}
