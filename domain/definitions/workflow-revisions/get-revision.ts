import type { Tx } from '../../../db/database.js';
import type { WorkflowRevisionRow } from '../../../db/definitions/workflow-revisions.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireWorkflowDefinition } from '../workflow-definitions/require-definition.js';
import { requireRevision } from './require-revision.js';
import { type StoredTaskTree, storedTaskTree } from './task-tree.js';

export interface RevisionWithTasks extends WorkflowRevisionRow {
  /** Whether it is the active revision of the definition. */
  active: boolean;
  rootTask: StoredTaskTree | null;
}

/**
 * A revision with its task tree. Requires `workflows:read`, because the tree contains prompts.
 *
 * @throws Forbidden, NotFound
 */
export async function getRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
): Promise<RevisionWithTasks> {
  context.actor.require('workflows:read');
  return context.db.readInWorkspace(context.actor.workspaceId, (tx) =>
    loadRevision(tx, definitionId, revisionId),
  );
}

/** `getRevision` inside a transaction and without the permission check. @throws NotFound */
export async function loadRevision(
  tx: Tx,
  definitionId: number,
  revisionId: number,
): Promise<RevisionWithTasks> {
  const definition = await requireWorkflowDefinition(tx, definitionId);
  const revision = await requireRevision(tx, definitionId, revisionId);
  const rootTask = storedTaskTree(await loadRevisionTasks(tx, revisionId));
  return { ...revision, active: definition.activeRevisionId === revisionId, rootTask };
}
