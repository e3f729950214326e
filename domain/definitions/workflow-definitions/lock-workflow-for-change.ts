import { lockWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';

/** Takes the lock of a change of a definition or of its revisions, if it exists, within the transaction of `db`. */
export async function lockWorkflowForChange(
  { db, actor }: CommandContext,
  definitionId: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => lockWorkflowDefinition(tx, definitionId));
}
