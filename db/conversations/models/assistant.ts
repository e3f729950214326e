import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class AssistantModel extends TenantModel {
  static override tableName = 'assistants';
  static override jsonAttributes = ['chatModelConfig', 'realtimeModelConfig'];
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'memberId',
    'instructions',
    'chatModelId',
    'realtimeModelId',
    'chatModelConfig',
    'realtimeModelConfig',
    'isDefault',
    'enabled',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<AssistantModel>)[];

  declare uuid: string;
  declare memberId: number;
  declare instructions: string;
  declare chatModelId: string | null;
  declare realtimeModelId: string | null;
  declare chatModelConfig: Record<string, unknown>;
  declare realtimeModelConfig: Record<string, unknown>;
  declare isDefault: boolean;
  declare enabled: boolean;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type AssistantRow = RowOf<AssistantModel>;
