import { column, tenantTable } from '../../lib/tenant-table.js';

/** A role that may use a definition. Without a row for a definition, everyone may. */
export class WorkflowDefinitionRoleModel extends tenantTable('workflow_definition_roles', {
  definitionId: column<number>(),
  memberRoleId: column<number>(),
  createdAt: column<Date>(),
}) {}
