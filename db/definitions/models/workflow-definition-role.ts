import { TenantModel } from '../../lib/tenant-model.js';

/** A role that may use a definition. Without a row for a definition, everyone may. */
export class WorkflowDefinitionRoleModel extends TenantModel {
  static override tableName = 'workflow_definition_roles';

  declare definitionId: number;
  declare memberRoleId: number;
  declare createdAt: Date;
}
