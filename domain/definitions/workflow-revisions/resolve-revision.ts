import {
  findActiveRevision,
  findWorkflowRevision,
  type WorkflowRevisionRow,
} from '../../../db/definitions/workflow-revisions.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { Permission } from '../../kernel/scopes.js';
import { InvalidInput } from '../../lib/errors.js';

/**
 * The revision for a new chat or assignment: the pinned one, which must be published, or the active one. Pinning
 * another requires `permission`, because its guards may allow what those of the active revision refuse.
 * @throws Forbidden
 * @throws InvalidInput at `/workflowRevisionId` or, if the definition has no active revision, at `/workflowId`
 */
export async function resolveRevision(
  tx: Tx,
  actor: Actor,
  { workflowId, workflowRevisionId }: { workflowId: number; workflowRevisionId?: number },
  permission: Permission,
): Promise<WorkflowRevisionRow> {
  if (workflowRevisionId !== undefined && actor.can(permission)) {
    const pinned = await findWorkflowRevision(tx, workflowId, workflowRevisionId);
    if (pinned !== undefined && pinned.publishedAt !== null) return pinned;
    throw InvalidInput.field('/workflowRevisionId', 'There is no such published revision of this workflow.');
  }
  const active = await findActiveRevision(tx, workflowId);
  if (workflowRevisionId !== undefined && workflowRevisionId !== active?.id) actor.require(permission);
  if (active === undefined) {
    throw InvalidInput.field('/workflowId', 'The workflow has no active revision.', 'workflow_not_active');
  }
  return active;
}
