import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class WorkflowDefinitionModel extends TenantModel {
  static override tableName = 'workflow_definitions';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'name',
    'description',
    'activeRevisionId',
    'defaultPhoneNumberId',
    'assistantMemberId',
    'archivedAt',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<WorkflowDefinitionModel>)[];

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
