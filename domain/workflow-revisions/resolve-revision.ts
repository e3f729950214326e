import type { Tx } from '../../db/database.js';
import { findWorkflowRevision, type WorkflowRevisionRow } from '../../db/queries/workflow-revisions.js';
import { InvalidInput } from '../errors.js';

/**
 * The revision that something new runs on: the pinned one, which has to be published, or the definition's active
 * one (specification: Versioning 2).
 *
 * @throws InvalidInput at `/workflowRevisionId` or, when the definition has no active revision, at `/workflowId`
 */
export async function resolveRevision(
  tx: Tx,
  definition: { id: number; activeRevisionId: number | null },
  revisionId?: number | null,
): Promise<WorkflowRevisionRow> {
  if (revisionId !== undefined && revisionId !== null) {
    const pinned = await findWorkflowRevision(tx, definition.id, revisionId);
    if (pinned !== undefined && pinned.publishedAt !== null) return pinned;
    throw InvalidInput.field('/workflowRevisionId', 'There is no such published revision of this workflow.');
  }
  const { activeRevisionId } = definition;
  const active =
    activeRevisionId === null ? undefined : await findWorkflowRevision(tx, definition.id, activeRevisionId);
  if (active === undefined) {
    throw InvalidInput.field('/workflowId', 'The workflow has no active revision.', 'workflow_not_active');
  }
  return active;
}
