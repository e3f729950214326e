import type { Tx } from '../../../db/database.js';
import type { WorkflowDefinitionRow } from '../../../db/definitions/workflow-definitions.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import { canUse } from './can-use.js';
import { requireWorkflowDefinition } from './require-definition.js';

/** @throws Forbidden when the actor's role may not use the definition */
export function requireUse(actor: Actor, definition: Pick<WorkflowDefinitionRow, 'roleIds'>): void {
  if (canUse(actor, definition.roleIds)) return;
  throw new Forbidden(
    'workflow use',
    'This needs the use permission of the workflow, which your role lacks.',
  );
}

/**
 * The definition for a new chat or assignment. An archived one is not found, because nothing new may start on it.
 * @throws NotFound
 * @throws Forbidden
 */
export async function requireUsableDefinition(
  tx: Tx,
  actor: Actor,
  definitionId: number,
): Promise<WorkflowDefinitionRow> {
  const definition = await requireWorkflowDefinition(tx, definitionId);
  if (definition.archivedAt !== null) throw new NotFound('Workflow');
  requireUse(actor, definition);
  return definition;
}
