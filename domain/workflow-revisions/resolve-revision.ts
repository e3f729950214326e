import type { Tx } from '../../db/database.js';
import {
  findActiveRevision,
  findWorkflowRevision,
  type WorkflowRevisionRow,
} from '../../db/queries/workflow-revisions.js';
import { InvalidInput } from '../errors.js';

/**
 * The revision that something new runs on: the pinned one, which has to be published, or the definition's active
 * one (specification: Versioning 2).
 *
 * @throws InvalidInput at `/workflowRevisionId` or, when the definition has no active revision, at `/workflowId`
 */
export async function resolveRevision(
  tx: Tx,
  definitionId: number,
  revisionId?: number | null,
): Promise<WorkflowRevisionRow> {
  if (revisionId !== undefined && revisionId !== null) {
    const pinned = await findWorkflowRevision(tx, definitionId, revisionId);
    if (pinned !== undefined && pinned.publishedAt !== null) return pinned;
    throw InvalidInput.field('/workflowRevisionId', 'There is no such published revision of this workflow.');
  }
  const active = await findActiveRevision(tx, definitionId);
  if (active === undefined) {
    throw InvalidInput.field('/workflowId', 'The workflow has no active revision.', 'workflow_not_active');
  }
  return active;
}
