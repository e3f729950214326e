import { type RowOf, TenantModel } from './tenant-model.js';

export class FollowUpModel extends TenantModel {
  static override tableName = 'follow_ups';

  declare uuid: string;
  declare chatId: number;
  declare instructions: string;
  declare dueAt: Date;
  declare firedAt: Date | null;
  declare cancelledAt: Date | null;
  declare createdAt: Date;
}

export type FollowUpRow = RowOf<FollowUpModel>;
