import {
  findWorkflowRevision,
  selectWorkflowRevisions,
  type WorkflowRevisionRow,
  type WorkflowRevisionSort,
} from '../../../db/definitions/workflow-revisions.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireWorkflowDefinition } from '../workflow-definitions/require-definition.js';
import { type StoredTaskTree, storedTaskTree } from './task-tree.js';

export interface RevisionWithTasks extends WorkflowRevisionRow {
  /** Whether it is the active revision of the definition. */
  active: boolean;
  rootTask: StoredTaskTree | null;
}

/** Requires `workflows:read`, because the task tree contains prompts. @throws Forbidden, NotFound */
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
  const { activeRevisionId } = await requireWorkflowDefinition(tx, definitionId);
  const revision = await requireRevision(tx, definitionId, revisionId);
  const rootTask = storedTaskTree(await loadRevisionTasks(tx, revisionId));
  return { ...revision, active: activeRevisionId === revisionId, rootTask };
}

/** A page of a definition's revisions, without their tasks. @throws Forbidden, NotFound */
export async function listRevisions(
  context: CommandContext,
  definitionId: number,
  page: PageRequest<WorkflowRevisionSort>,
): Promise<PageOf<WorkflowRevisionRow & { active: boolean }>> {
  context.actor.require('workflows:read');
  return context.db.readInWorkspace(context.actor.workspaceId, async (tx) => {
    const { activeRevisionId } = await requireWorkflowDefinition(tx, definitionId);
    const found = await selectWorkflowRevisions(tx, definitionId, page);
    return { ...found, items: found.items.map((row) => ({ ...row, active: row.id === activeRevisionId })) };
  });
}

/** @throws NotFound */
export async function requireRevision(
  tx: Tx,
  definitionId: number,
  revisionId: number,
): Promise<WorkflowRevisionRow> {
  const revision = await findWorkflowRevision(tx, definitionId, revisionId);
  if (revision === undefined) throw new NotFound('Workflow revision');
  return revision;
}

export function revisionPublished(): Conflict {
  return new Conflict('revision_published', 'The revision is published and cannot change any more.');
}
