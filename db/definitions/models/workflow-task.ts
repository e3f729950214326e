import type { TaskType } from '../../../domain/definitions/task-tree/types.js';
import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** A task of a revision's tree. Its uuid identifies it across revisions, and is unique within one. */
export class WorkflowTaskModel extends TenantModel {
  static override tableName = 'workflow_tasks';
  static override jsonAttributes = ['configuration'];
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'revisionId',
    'parentId',
    'name',
    'taskType',
    'prompt',
    'shortPrompt',
    'choicePrompt',
    'description',
    'configuration',
    'celGuard',
    'celCondition',
    'autoNext',
    'required',
    'sortOrder',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<WorkflowTaskModel>)[];

  declare uuid: string;
  declare revisionId: number;
  declare parentId: number | null;
  declare name: string;
  declare taskType: TaskType;
  declare prompt: string | null;
  declare shortPrompt: string | null;
  declare choicePrompt: string | null;
  declare description: string | null;
  declare configuration: Record<string, unknown>;
  declare celGuard: string | null;
  declare celCondition: string | null;
  declare autoNext: boolean;
  declare required: boolean;
  declare sortOrder: number;
  declare createdAt: Date;
}

export type WorkflowTaskRow = RowOf<WorkflowTaskModel>;
