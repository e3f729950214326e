import {
  listWorkflowRevisions,
  type WorkflowRevisionRow,
  type WorkflowRevisionSort,
} from '../../../db/definitions/workflow-revisions.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { requireWorkflowDefinition } from '../workflow-definitions/require-definition.js';

/** A page of a definition's revisions, without their tasks. @throws Forbidden, NotFound */
export async function listRevisions(
  context: CommandContext,
  definitionId: number,
  page: PageRequest<WorkflowRevisionSort>,
): Promise<PageOf<WorkflowRevisionRow & { active: boolean }>> {
  context.actor.require('workflows:read');
  return context.db.readInWorkspace(context.actor.workspaceId, async (tx) => {
    const definition = await requireWorkflowDefinition(tx, definitionId);
    const found = await listWorkflowRevisions(tx, definitionId, page);
    const { activeRevisionId } = definition;
    return { ...found, items: found.items.map((row) => ({ ...row, active: row.id === activeRevisionId })) };
  });
}
