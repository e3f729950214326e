import { type RowOf, TenantModel } from './tenant-model.js';

export class WorkflowDefinitionModel extends TenantModel {
  static override tableName = 'workflow_definitions';

  declare uuid: string;
  declare name: string;
  declare description: string | null;
  declare activeRevisionId: number | null;
  declare defaultPhoneNumberId: number | null;
  declare assistantMemberId: number | null;
  declare archivedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type WorkflowDefinitionRow = RowOf<WorkflowDefinitionModel>;
