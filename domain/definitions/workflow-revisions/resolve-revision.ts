import type { WorkflowDefinitionRow } from '../../../db/definitions/workflow-definitions.js';
import { findWorkflowRevision } from '../../../db/definitions/workflow-revisions.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { Permission } from '../../kernel/scopes.js';
import { InvalidInput } from '../../lib/errors.js';

/**
 * The id of the revision for a new chat or assignment: the pinned one, which must be published, or the active one. Pinning
 * another requires `permission`, because its guards may allow what those of the active revision refuse.
 * @throws Forbidden
 * @throws InvalidInput at `/workflowRevisionId` or, if the definition has no active revision, at `/workflowId`
 */
export async function resolveRevision(
  tx: Tx,
  actor: Actor,
  { id, activeRevisionId }: Pick<WorkflowDefinitionRow, 'id' | 'activeRevisionId'>,
  pinnedId: number | undefined,
  permission: Permission,
): Promise<number> {
  if (pinnedId !== undefined && actor.can(permission)) {
    const pinned = await findWorkflowRevision(tx, id, pinnedId);
    if (pinned !== undefined && pinned.publishedAt !== null) return pinned.id;
    throw InvalidInput.field('/workflowRevisionId', 'There is no such published revision of this workflow.');
  }
  if (pinnedId !== undefined && pinnedId !== activeRevisionId) actor.require(permission);
  if (activeRevisionId === null) {
    throw InvalidInput.field('/workflowId', 'The workflow has no active revision.', 'workflow_not_active');
  }
  return activeRevisionId;
}
