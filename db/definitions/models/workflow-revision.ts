import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** A draft until `publishedAt` is set; frozen from then on. */
export class WorkflowRevisionModel extends TenantModel {
  static override tableName = 'workflow_revisions';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'definitionId',
    'number',
    'name',
    'publishedAt',
    'publishedByMemberId',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<WorkflowRevisionModel>)[];

  declare uuid: string;
  declare definitionId: number;
  declare number: number;
  declare name: string;
  declare publishedAt: Date | null;
  declare publishedByMemberId: number | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type WorkflowRevisionRow = RowOf<WorkflowRevisionModel>;
