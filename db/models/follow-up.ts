import { type RowOf, TenantModel } from './tenant-model.js';

export class FollowUpModel extends TenantModel {
  static override tableName = 'follow_ups';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'chatId',
    'instructions',
    'dueAt',
    'firedAt',
    'cancelledAt',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<FollowUpModel>)[];

  declare uuid: string;
  declare chatId: number;
  declare instructions: string;
  declare dueAt: Date;
  declare firedAt: Date | null;
  declare cancelledAt: Date | null;
  declare createdAt: Date;
}

export type FollowUpRow = RowOf<FollowUpModel>;
