import type { Tx } from '../../../db/database.js';
import {
  findWorkflowDefinition,
  lockWorkflowDefinition,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/** The definition, archived or not. @throws NotFound */
export async function requireWorkflowDefinition(tx: Tx, id: number): Promise<WorkflowDefinitionRow> {
  const definition = await findWorkflowDefinition(tx, id);
  if (definition === undefined) throw new NotFound('Workflow');
  return definition;
}

/** Serializes changes to the definition and to its revisions. @throws NotFound, Conflict `workflow_archived` */
export async function lockDefinitionForChange(tx: Tx, id: number): Promise<WorkflowDefinitionRow> {
  const definition = await lockWorkflowDefinition(tx, id);
  if (definition === undefined) throw new NotFound('Workflow');
  if (definition.archivedAt !== null) {
    throw new Conflict('workflow_archived', 'The workflow is archived and cannot be changed.');
  }
  return definition;
}
