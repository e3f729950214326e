import {
  findWorkflowDefinition,
  lockWorkflowDefinition,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { Conflict, Forbidden, NotFound } from '../../lib/errors.js';

/** The definition, archived or not. @throws NotFound */
export async function requireWorkflowDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow> {
  const definition = await findWorkflowDefinition(tx, id);
  if (definition === undefined) throw new NotFound('Workflow');
  return definition;
}

/** Serializes changes to the definition, archived or not, and to its revisions. @throws NotFound */
export async function lockDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow> {
  const definition = await lockWorkflowDefinition(tx, id);
  if (definition === undefined) throw new NotFound('Workflow');
  return definition;
}

/** `lockDefinition` for a change that an archived one refuses. @throws NotFound, Conflict `workflow_archived` */
export async function lockDefinitionForChange(tx: Tx, id: number): Promise<WorkflowDefinitionRow> {
  const definition = await lockDefinition(tx, id);
  if (definition.archivedAt !== null) {
    throw new Conflict('workflow_archived', 'The workflow is archived and cannot be changed.');
  }
  return definition;
}

/** The definition for a new chat or assignment, for which an archived one is not found. @throws NotFound, Forbidden */
export async function requireUsableDefinition(
  tx: Tx,
  actor: Actor,
  definitionId: number,
): Promise<WorkflowDefinitionRow> {
  const definition = await requireWorkflowDefinition(tx, definitionId);
  if (definition.archivedAt !== null) throw new NotFound('Workflow');
  if (canUse(actor, definition.roleIds)) return definition;
  throw new Forbidden(
    'workflow use',
    'This needs the use permission of the workflow, which your role lacks.',
  );
}

/** Whether the actor may start assignments and chats of a definition that lists these roles. */
export function canUse(actor: Actor, roleIds: readonly number[]): boolean {
  return roleIds.length === 0 || roleIds.includes(actor.memberRoleId) || actor.can('workflows:write');
}
