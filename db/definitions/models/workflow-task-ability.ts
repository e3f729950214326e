import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** An ability of the agent in a task and, by inheritance, in the tasks below it. */
export class WorkflowTaskAbilityModel extends TenantModel {
  static override tableName = 'workflow_task_abilities';
  static override jsonAttributes = ['config'];
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'taskId',
    'abilityType',
    'config',
    'enabled',
    'celCondition',
  ] as const satisfies readonly (keyof RowOf<WorkflowTaskAbilityModel>)[];

  declare uuid: string;
  declare taskId: number;
  declare abilityType: string;
  declare config: Record<string, unknown>;
  declare enabled: boolean;
  declare celCondition: string | null;
}

export type WorkflowTaskAbilityRow = RowOf<WorkflowTaskAbilityModel>;
