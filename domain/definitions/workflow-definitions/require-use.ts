import type { Tx } from '../../../db/database.js';
import type { WorkflowDefinitionRow } from '../../../db/definitions/workflow-definitions.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import { requireWorkflowDefinition } from './require-definition.js';

/** @throws Forbidden when the actor's role may not use the definition */
export function requireUse(actor: Actor, definition: Pick<WorkflowDefinitionRow, 'roleIds'>): void {
  if (canUse(actor, definition.roleIds)) return;
  const message = 'This needs the use permission of the workflow, which your role lacks.';
  throw new Forbidden('workflow use', message);
}

/** The definition for a new chat or assignment, for which an archived one is not found. @throws NotFound, Forbidden */
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

/** Whether the actor may start assignments and chats of a definition that lists these roles. */
export function canUse(actor: Actor, roleIds: readonly number[]): boolean {
  return roleIds.length === 0 || roleIds.includes(actor.memberRoleId) || actor.can('workflows:write');
}
